package dev.cairn.app.train;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.notice.StopRequest;
import dev.cairn.app.progress.CopyText;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.job.JobResult;
import java.util.Optional;

/// The last line of `cairn train`, which says what to do next, and the exit code.
///
/// @param run the argument of `--run`
/// @param copy the argument of `--copy-to`; empty if there is none
record TrainEnding(String run, String copy, Terminal terminal) {
    /// Prints the line, if there is something to do, and returns the exit code.
    int tell(JobResult ended, Notices notices, StopRequest stop) {
        TrainingResult result = ended.training();
        if (!result.saved() && notices.isCancelled()) {
            terminal.line(stop.withoutSave(notices));
            return ExitCode.STOPPED;
        }
        if (ended.saves().lastFailed()) {
            terminal.line("cairn: the last save failed; %s; see above, then start the same command again"
                    .formatted(
                            ended.checkpoints() == 0
                                    ? "the run has no checkpoint"
                                    : "the run's newest checkpoint is older than step " + result.step()));
            return ExitCode.FAILED;
        }
        if (result.end() instanceof End.Diverged diverged) {
            terminal.line(advice(diverged));
            return ExitCode.FAILED;
        }
        Optional<CopyLag> missing = ended.lag().filter(lag -> !lag.isNone());
        missing.ifPresent(lag -> terminal.line(CopyText.incomplete(copy, lag)));
        if (!result.stopped()) {
            return missing.isPresent() ? ExitCode.FAILED : ExitCode.DONE;
        }
        terminal.line("cairn: stopped on %s at step %d and saved; start the same command again to continue"
                .formatted(notices.first().map(Notice::reason).orElse("notice"), result.step()));
        return ExitCode.STOPPED;
    }

    /// Explains what to do about a training that diverged.
    private String advice(End.Diverged diverged) {
        String cure = "try a lower --rate, or --clip 1";
        String what = "cairn: stopped at step %d: %s%s"
                .formatted(
                        diverged.step(),
                        diverged.reason(),
                        diverged.rollbacks() == 0 ? "" : ", after %d rollbacks".formatted(diverged.rollbacks()));
        if (diverged.lastGood() == null) {
            return what + "; there is no earlier checkpoint; " + cure;
        }
        String back = diverged.rollbacks() == 0 ? "--on-divergence rollback:1 goes back to it, or " : "";
        return "%s; the last good checkpoint is of step %d: %sfork it with --run NEW --from %s@%d; %s"
                .formatted(what, diverged.lastGood(), back, run, diverged.lastGood(), cure);
    }
}
