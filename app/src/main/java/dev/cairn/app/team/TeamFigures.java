package dev.cairn.app.team;

import dev.cairn.cluster.job.JobProcess;
import dev.cairn.observe.system.SystemLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The system figures of a training by several processes, as their supervisor records them: from the first step on,
/// when the run is there.
public final class TeamFigures implements AutoCloseable {
    /// The name of the process that records.
    public static final String PROCESS = "supervisor";

    private static final String TRAINING = "training";

    private final Optional<SystemLog> log;
    private volatile Map<String, Long> pids = Map.of();

    /// Records nothing yet.
    ///
    /// @param maker makes the log of the processes that it is asked for
    public TeamFigures(Function<Supplier<Map<String, Long>>, Optional<SystemLog>> maker) {
        this.log = maker.apply(() -> pids);
    }

    /// Takes note of the processes.
    ///
    /// @param now the processes of the job, as they are now
    public void processes(List<JobProcess> now) {
        pids = now.stream()
                .filter(process -> !process.isElsewhere())
                .collect(Collectors.toMap(JobProcess::name, JobProcess::pid, (one, _) -> one));
        if (now.stream().anyMatch(process -> process.state().equals(TRAINING))) {
            log.ifPresent(SystemLog::begin);
        }
    }

    @Override
    public void close() {
        log.ifPresent(SystemLog::close);
    }
}
