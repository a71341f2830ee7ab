package dev.cairn.store;

import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.FreshStart;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Commits checkpoints to one run, one after the other: segment, fsync, then the record. Not thread-safe.
///
/// A failed commit leaves the run as it was, and the next may be tried; after a [CommitConflictException] every later
/// commit fails too, because another writer is at work.
public final class CheckpointWriter {
    /// Room that a commit needs besides the tensors: index, record, folders.
    private static final long MARGIN_BYTES = 256 << 10;

    private final BlobStore blobs;
    private final CommitLog log;
    private final Guard stillOurs;
    private final SecureRandom random = new SecureRandom();
    private long nextNumber;
    /// What was being appended when that failed, until it is known whether it stands.
    private @Nullable LogRecord unsettled;

    CheckpointWriter(BlobStore blobs, CommitLog log, Guard stillOurs, long nextNumber) {
        this.blobs = blobs;
        this.log = log;
        this.stillOurs = stillOurs;
        this.nextNumber = nextNumber;
    }

    /// Asked right before each commit whether the run is still this writer's.
    public interface Guard {
        void check() throws IOException;
    }

    /// A tensor to be stored: its description, and its blocks when they are asked for.
    public interface TensorSource {
        TensorSpec spec();

        /// How it is encoded, for people.
        String codec();

        /// Encodes the tensor's blocks one after the other and hands each frame over.
        void encode(BlockSink sink) throws IOException;
    }

    /// Takes the frames of a tensor in order.
    public interface BlockSink {
        void append(MemorySegment frame) throws IOException;
    }

    /// What a checkpoint says of itself besides its tensors.
    ///
    /// @param parent what it is a delta of; null for a base
    /// @param codec what the user asked for
    public record Description(
            long step, Instant time, @Nullable Parent parent, String codec, Attributes attributes) {}

    /// Stores these tensors, whose blocks carry their code tables themselves, as a checkpoint.
    public Checkpoint commit(Description description, List<? extends TensorSource> tensors) throws IOException {
        return commit(description, tensors, TableSet.empty(), Attributes::empty);
    }

    /// Stores these tensors as a checkpoint. When this returns, the checkpoint survives a power cut.
    ///
    /// @param tables the code tables that the tensors' blocks name, complete when the last is encoded
    /// @param findings attributes that are known only then
    public Checkpoint commit(
            Description description,
            List<? extends TensorSource> tensors,
            TableSet tables,
            Supplier<Attributes> findings)
            throws IOException {
        settle();
        checkRoom(
                tensors.stream().mapToLong(tensor -> tensor.spec().sizeBytes()).sum());
        checkNames(tensors);
        long number = nextNumber;
        long id = random.nextLong();
        String segmentName = CheckpointStore.SEGMENTS + CommitLog.digits(number) + "-"
                + HexFormat.of().toHexDigits(id) + ".seg";
        var refs = new ArrayList<TensorRef>();
        LogRecord.SegmentRef segment;
        try (var writer = SegmentWriter.start(blobs, segmentName, id)) {
            for (TensorSource tensor : tensors) {
                refs.add(new TensorRef(tensor.spec(), tensor.codec(), 0, writer.nextBlock()));
                tensor.encode(writer::appendBlock);
            }
            segment = writer.finish(tables);
        }
        var checkpoint = new Checkpoint(
                number,
                HexFormat.of().toHexDigits(id),
                description.step(),
                description.time().truncatedTo(ChronoUnit.MILLIS),
                description.parent(),
                description.codec(),
                description.attributes().with(findings.get()),
                List.of(segment),
                refs);
        try {
            stillOurs.check();
            blobs.read(segmentName).close();
            log.append(checkpoint);
        } catch (IOException e) {
            failed(checkpoint);
            throw e;
        }
        nextNumber = number + 1;
        return checkpoint;
    }

    /// Begins the run anew: all checkpoints so far stay where they are, but are no longer part of it.
    public void commitFreshStart(Instant time) throws IOException {
        settle();
        var start = new FreshStart(nextNumber, time.truncatedTo(ChronoUnit.MILLIS));
        try {
            log.append(start);
        } catch (IOException e) {
            failed(start);
            throw e;
        }
        nextNumber++;
    }

    private static void checkNames(List<? extends TensorSource> tensors) {
        var names = new HashSet<String>();
        for (TensorSource tensor : tensors) {
            if (!names.add(tensor.spec().name())) {
                throw new IllegalArgumentException(
                        "two tensors have the name " + tensor.spec().name());
            }
        }
    }

    /// Throws where a checkpoint of this size would not fit.
    public void checkRoom(long tensorBytes) throws IOException {
        long needed = tensorBytes + tensorBytes / 1024 + MARGIN_BYTES;
        long usable = blobs.usableBytes();
        if (usable < needed) {
            throw new StoreFullException(needed, usable);
        }
    }

    static long parseId(Checkpoint checkpoint) throws DamagedException {
        try {
            return HexFormat.fromHexDigitsToLong(checkpoint.id());
        } catch (IllegalArgumentException notHexadecimal) {
            throw new DamagedException(CommitLog.name(checkpoint.number()), "id is not a number");
        }
    }

    private void failed(LogRecord entry) {
        unsettled = entry;
        try {
            settle();
        } catch (IOException secondary) {
            // The first error is the one to report; what is unsettled is looked at again before the next commit.
        }
    }

    /// A record may stand although its creation reported an error (a failed fsync of the folder, a lost reply):
    /// then its
    /// number is taken, by us, and its segments must stay. Otherwise they go.
    private void settle() throws IOException {
        LogRecord entry = unsettled;
        if (entry == null) {
            return;
        }
        boolean stands = log.numbers().contains(entry.number()) && isSame(entry, log.read(entry.number()));
        if (stands) {
            nextNumber = entry.number() + 1;
        } else if (entry instanceof Checkpoint checkpoint) {
            for (LogRecord.SegmentRef segment : checkpoint.segments()) {
                blobs.delete(segment.name());
            }
        }
        unsettled = null;
    }

    private static boolean isSame(LogRecord ours, LogRecord found) {
        if (ours instanceof Checkpoint made && found instanceof Checkpoint checkpoint) {
            return made.id().equals(checkpoint.id());
        }
        return ours.equals(found);
    }
}
