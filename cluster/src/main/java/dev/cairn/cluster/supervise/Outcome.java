package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Tally;
import java.util.List;

/// How a job ended.
///
/// @param code the exit code
/// @param out what to print on standard output
/// @param problem the last line for people; empty if a member has said it
/// @param failures the deaths of workers from which the team has recovered
/// @param workers what was done in the place of each rank
public record Outcome(int code, String out, String problem, List<Failure> failures, List<Tally> workers) {
    public Outcome {
        failures = List.copyOf(failures);
        workers = List.copyOf(workers);
    }
}
