package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.train.job.Refusal;

/// Explains in the terms of the command line why a training was refused.
///
/// @param run the argument of `--run`
/// @param copy the argument of `--copy-to`; empty if there is none
/// @param from the argument of `--from`; empty if there is none
record RefusalText(String run, String copy, String from) {
    /// Returns problem and cure in one line.
    String of(Refusal refusal) {
        return switch (refusal) {
            case Refusal.CopyOverlaps(Refusal.Overlap overlap) -> of(overlap) + "; choose another place for the copy";
            case Refusal.ForkOfItself _ -> "--run and --from are the same run; choose another folder for --run";
            case Refusal.OtherWorkload(String trained, String wanted) ->
                "--from names a run of %s, not of %s; fork it with 'train %s', or leave --from out to start %s from step 0"
                        .formatted(trained, wanted, trained, wanted);
            case Refusal.NotThisFork other -> of(other);
            case Refusal.CopyOfAnotherRun(String difference) ->
                "--copy-to %s is the copy of another run: %s; choose another place for the copy"
                        .formatted(copy, difference);
            case Refusal.Invalid(IllegalArgumentException reason) -> Failures.describe(reason);
        };
    }

    private String of(Refusal.Overlap overlap) {
        return switch (overlap) {
            case SAME_PLACE -> "--run and --copy-to are the same place";
            case COPY_INSIDE_RUN -> "--copy-to %s is inside the run's own folder".formatted(copy);
            case RUN_INSIDE_COPY -> "--run %s is inside the folder of --copy-to".formatted(run);
        };
    }

    private String of(Refusal.NotThisFork refusal) {
        String holder = switch (refusal.holder()) {
            case RUN -> "run " + run;
            case COPY -> "the copy in " + copy;
        };
        return "%s already has checkpoints, %s; choose another --run, or leave --from out to continue this run"
                .formatted(
                        holder,
                        refusal.origin()
                                .map(other ->
                                        "forked from %s@%d, not from %s".formatted(other.run(), other.step(), from))
                                .orElse("and is not a fork"));
    }
}
