package dev.cairn.cluster.job;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The job that trained a run before, and whose supervisor was killed. Its workers then save and end by themselves,
/// which
/// takes a moment: the next job waits for it, so that no finished step is lost.
///
/// @param left the processes that are still alive
public record JobBefore(List<ProcessHandle> left) {
    public JobBefore {
        left = List.copyOf(left);
    }

    /// Reads what the job before has left. Nothing if its supervisor is alive: then it is still at work.
    public static JobBefore of(JobFile file) throws IOException {
        List<JobProcess> processes = file.read().map(JobFile.Content::processes).orElse(List.of());
        boolean works = processes.stream()
                .anyMatch(
                        each -> each.role().equals("supervisor") && each.alive().isPresent());
        return new JobBefore(
                works
                        ? List.of()
                        : processes.stream()
                                .flatMap(each -> each.alive().stream())
                                .toList());
    }

    /// Waits for the end of these processes, at most for this time.
    ///
    /// @return whether they have ended
    public boolean await(Duration limit) throws InterruptedException {
        try {
            CompletableFuture.allOf(left.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException alive) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
