package dev.cairn.cluster.supervise;

import dev.cairn.cluster.job.JobProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tells the view of the processes of a job, once a second and when they have changed.
final class ProcessList {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final View view;
    private @Nullable List<String> told;
    private long nanos;

    ProcessList(View view) {
        this.view = view;
    }

    /// @param formed whether a group was ever formed
    void tell(Roster roster, boolean formed, long now) {
        List<String> states = roster.members().stream()
                .map(member -> member.number() + " " + member.label() + " " + member.phase())
                .toList();
        if (states.equals(told) && now - nanos < EVERY.toNanos()) {
            return;
        }
        told = states;
        nanos = now;
        var processes = new ArrayList<JobProcess>();
        processes.add(JobProcess.of(ProcessHandle.current(), "supervisor", "supervisor", -1, roster.step(), "running"));
        roster.members().stream()
                .sorted(Comparator.comparingInt(member -> member.rank() < 0 ? Integer.MAX_VALUE : member.rank()))
                .forEach(member -> processes.add(member.process(formed)));
        view.processes(processes);
    }
}
