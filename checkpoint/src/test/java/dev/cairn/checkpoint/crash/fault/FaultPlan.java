package dev.cairn.checkpoint.crash.fault;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Counts operations and makes the n-th one fail, in one of the ways in which disks fail.
public final class FaultPlan {
    /// How an operation fails.
    public enum Fault {
        /// EIO, or another reason from the plan: the operation has no effect.
        ERROR,
        /// ENOSPC: a write first writes half of its bytes; nothing else has an effect.
        FULL,
        /// The operation takes effect but reports an error: a lost reply.
        LATE,
        /// A transfer moves half of its bytes and says so, which is not a failure.
        SHORT,
        /// The operation and the next few fail, then all operations succeed again.
        BURST,
        /// The operation and every later one fail: the disk is gone.
        DEAD,
        /// EPERM, always: a file system that does not support the operation.
        REFUSED
    }

    /// Reasons why a read may fail although the stored data is intact: EIO, EMFILE, ESTALE, ENOMEM, in the system's
    /// words.
    public static final List<String> PASSING_REASONS =
            List.of("Input/output error", "Too many open files", "Stale file handle", "Cannot allocate memory");

    private static final int BURST_LENGTH = 5;
    private static final List<String> CHANGES =
            List.of("create ", "write ", "direct ", "fsync ", "link ", "rename ", "mkdir ", "delete ", "truncate ");

    private final Fault fault;
    private final int failAt;
    private Predicate<String> counted = operation -> true;
    private String passing = PASSING_REASONS.getFirst();
    private int operations;
    private @Nullable String failed;

    /// @param failAt the first operation is number 1
    public FaultPlan(Fault fault, int failAt) {
        this.fault = fault;
        this.failAt = failAt;
    }

    /// Counts and fails only operations that start with this text, as in "fsync segments".
    public FaultPlan only(String operation) {
        counted = each -> each.startsWith(operation);
        return this;
    }

    /// Reports this reason for errors without a more specific one.
    public FaultPlan because(String reason) {
        passing = reason;
        return this;
    }

    /// Counts and fails only operations that change something on the disk.
    public FaultPlan onlyChanges() {
        counted = each -> CHANGES.stream().anyMatch(each::startsWith);
        return this;
    }

    /// The number of operations counted.
    public synchronized int operations() {
        return operations;
    }

    /// The operation that failed, as "operation file"; null if fewer operations happened.
    public synchronized @Nullable String failed() {
        return failed;
    }

    /// An operation that may fail and returns a value.
    interface Operation<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /// Moves bytes; may be told to move only half of them.
    interface Transfer {
        int move(boolean half) throws IOException;
    }

    <T extends @Nullable Object> T run(String what, Path file, Operation<T> operation) throws IOException {
        boolean fails = next(what, file);
        if (fails && fault != Fault.LATE && fault != Fault.SHORT) {
            throw error(file);
        }
        T result = operation.run();
        if (fails && fault == Fault.LATE) {
            throw error(file);
        }
        return result;
    }

    int transfer(String what, Path file, Transfer transfer) throws IOException {
        boolean fails = next(what, file);
        if (fails && (fault == Fault.ERROR || fault == Fault.BURST || fault == Fault.DEAD || fault == Fault.REFUSED)) {
            throw error(file);
        }
        int moved = transfer.move(fails && fault != Fault.LATE);
        if (fails && fault != Fault.SHORT) {
            throw error(file);
        }
        return moved;
    }

    private synchronized boolean next(String what, Path file) {
        String operation = what + " " + file.getFileName();
        if (!counted.test(operation)) {
            return false;
        }
        operations++;
        if (operations == failAt) {
            failed = operation;
        }
        return switch (fault) {
            case ERROR, FULL, LATE, SHORT -> operations == failAt;
            case BURST -> operations >= failAt && operations < failAt + BURST_LENGTH;
            case DEAD, REFUSED -> operations >= failAt;
        };
    }

    private FileSystemException error(Path file) {
        String reason = switch (fault) {
            case FULL -> "No space left on device";
            case REFUSED -> "Operation not permitted";
            case ERROR, LATE, SHORT, BURST, DEAD -> passing;
        };
        return new FileSystemException(file.toString(), null, reason);
    }
}
