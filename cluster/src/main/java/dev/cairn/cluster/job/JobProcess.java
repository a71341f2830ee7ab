package dev.cairn.cluster.job;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A process of a job.
///
/// @param name as in messages: `w0` for the worker of rank 0, `s3` for a spare process, `supervisor`
/// @param role `supervisor`, `worker` or `spare`
/// @param rank the rank of a worker; −1 for others
/// @param startMillis when the process started, in milliseconds since 1970: a later process may have the same pid
/// @param step the last finished step
/// @param state what it does: `starting`, `ready`, `recovering` or `training`; `running` for the supervisor
/// @param host the name of its host; null if it is that of the supervisor
public record JobProcess(
        String name,
        String role,
        int rank,
        long pid,
        long startMillis,
        long step,
        String state,
        @Nullable String host) {
    /// The process of this host with this pid, now.
    ///
    /// @param name as of the record
    public static JobProcess of(ProcessHandle process, String name, String role, int rank, long step, String state) {
        return new JobProcess(name, role, rank, process.pid(), startMillis(process), step, state, null);
    }

    /// Whether it is on another host than the supervisor. Only the supervisor knows then whether it is alive.
    @JsonIgnore
    public boolean isElsewhere() {
        return host != null;
    }

    /// The process, if it is on this host and still alive.
    public Optional<ProcessHandle> alive() {
        return isElsewhere() ? Optional.empty() : here();
    }

    private Optional<ProcessHandle> here() {
        return ProcessHandle.of(pid).filter(found -> found.isAlive() && startMillis(found) == startMillis);
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
    }
}
