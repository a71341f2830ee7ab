package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Skipped;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.TrainingProgress.Snapshot;
import dev.cairn.store.CommitConflictException;
import dev.cairn.train.Measure;
import dev.cairn.train.Scoring;
import java.util.Locale;

/// Shows a training to people while it runs: a progress line that is redrawn, and permanent lines.
final class TerminalReport implements TrainingObserver {
    private final Terminal terminal;
    private final TrainingProgress progress;
    private final boolean begun;
    private volatile long steps;
    private boolean warm;

    /// @param progress must receive every event before this observer does
    /// @param begun whether another process has begun this training: then this one gets its state from others, and
    ///     what it restored is of no interest
    TerminalReport(Terminal terminal, TrainingProgress progress, boolean begun) {
        this.terminal = terminal;
        this.progress = progress;
        this.begun = begun;
    }

    @Override
    public void on(TrainingEvent event) {
        switch (event) {
            case TrainingEvent.Started started -> steps = started.steps();
            case TrainingEvent.StepMade _ -> {
                if (warm) {
                    terminal.progress(
                            () -> progress.now().map(TerminalReport::line).orElse(""));
                }
                warm = true; // the first step is slow: it gives no estimate of the remaining time
            }
            case TrainingEvent.Warned warned -> terminal.line(warning(warned));
            case TrainingEvent.WentBack back ->
                terminal.line(String.format(
                        Locale.ROOT,
                        "cairn: warning: step %d: %s; back to step %d with a rate of %.4g",
                        back.fromStep(),
                        back.reason(),
                        back.step(),
                        back.rate()));
            case TrainingEvent.Checkpointed(var _, CheckpointEvent checkpointed) -> on(checkpointed);
            case TrainingEvent.Scored _, TrainingEvent.Recovered _, TrainingEvent.Worked _, TrainingEvent.Ended _ -> {
                // The progress line, the supervisor or the summary shows these.
            }
        }
    }

    /// Returns the warning, with the option that may help, if there is one.
    static String warning(TrainingEvent.Warned warned) {
        return "cairn: warning: " + warned.message()
                + (warned.about().equals(Scoring.DEAD_UNITS) ? ": try a lower --rate, or --activation tanh" : "");
    }

    /// The progress in one line.
    static String line(Snapshot now) {
        Measure measure = Measure.named(now.measure());
        return String.format(
                Locale.ROOT,
                "step %d/%d  loss %s  %s %s  checkpoints %d%s  left %s",
                now.step(),
                now.steps(),
                Quantities.decimal(now.loss()),
                measure.label(),
                Quantities.score(measure, now.score()),
                now.checkpoints(),
                now.copyLag().map(CopyText::progress).orElse(""),
                Quantities.seconds(now.remainingSeconds()));
    }

    private void on(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Committed _ -> {}
            case CheckpointEvent.TooCoarse(long step, var codec, var remedy, double error) ->
                terminal.line(tooCoarse(step, CodecName.explained(codec.text()), remedy, error));
            case CheckpointEvent.SaveFailed failed when failed.cause() instanceof CommitConflictException -> {
                // The training ends with this exception and reports it.
            }
            case CheckpointEvent.SaveFailed(long step, Throwable cause) ->
                terminal.line("cairn: save of step %d failed: %s%s"
                        .formatted(step, Failures.describe(cause), step < steps ? "; training continues" : ""));
            case CheckpointEvent.SaveSkipped skipped
            when skipped.isWorthTelling() ->
                terminal.line("cairn: save of step %d skipped, %d so far: the save of step %d is not finished yet"
                        .formatted(skipped.step(), skipped.soFar(), skipped.stepInFlight()));
            case CheckpointEvent.SaveSkipped _ -> {}
            case CheckpointEvent.BestNotSaved(long step, double share) ->
                terminal.line(
                        "cairn: step %d has the best score but is not saved: saves would take more than %s of the time"
                                .formatted(step, Quantities.share(share)));
            case CheckpointEvent.SaveAborted(long step) ->
                terminal.line("cairn: save of step %d cancelled".formatted(step));
            case CheckpointEvent.Merged _ -> {}
            case CheckpointEvent.Pruned _ -> {}
            case CheckpointEvent.HousekeepingFailed failed when failed.cause() instanceof CommitConflictException -> {
                // The training ends with this exception and reports it.
            }
            case CheckpointEvent.HousekeepingFailed(long step, Throwable cause) ->
                terminal.line("cairn: old checkpoints could not be merged or removed after step %d: %s; %s"
                        .formatted(step, Failures.describe(cause), "nothing is lost; the next save tries again"));
            case CheckpointEvent.ChainInDoubt(var newest, Throwable cause) ->
                terminal.line(
                        "cairn: warning: step %d, and earlier checkpoints that need the same files, may be damaged: %s; training continues, and a full checkpoint is saved now; 'cairn verify' shows which checkpoints are good"
                                .formatted(newest.step(), Failures.describe(cause)));
            case CheckpointEvent.PassedOver(long _, var step, var reason) -> terminal.line(Skipped.line(step, reason));
            case CheckpointEvent.Healed healed -> terminal.line("cairn: " + healed.text());
            case CheckpointEvent.Rewritten rewritten -> terminal.line("cairn: " + rewritten.text());
            case CheckpointEvent.DamageFound(var damage) ->
                terminal.line("cairn: warning: %s; training continues; %s"
                        .formatted(damage.getMessage(), "'cairn verify' shows which checkpoints are good"));
            case CheckpointEvent.ScrubFailed(Throwable cause) ->
                terminal.line("cairn: old files could not be checked: %s; training continues, and Cairn tries again"
                        .formatted(Failures.describe(cause)));
            case CheckpointEvent.Restored _ when begun -> {}
            case CheckpointEvent.Restored(var checkpoint, boolean dropped, var time) ->
                terminal.line("cairn: resumed from step %d in %s%s"
                        .formatted(
                                checkpoint.step(),
                                Quantities.seconds(Json.seconds(time)),
                                inexact(checkpoint, dropped)));
            case CheckpointEvent.RestoredInPart(var checkpoint, var difference) ->
                terminal.line("cairn: step %d restored partly: %d tensors fit; %s"
                        .formatted(checkpoint.step(), difference.fitting().size(), difference.text()));
            case CheckpointEvent.Forked(String run, var checkpoint, boolean dropped, var time) ->
                terminal.line("cairn: forked from run %s, step %d, in %s%s"
                        .formatted(
                                run,
                                checkpoint.step(),
                                Quantities.seconds(Json.seconds(time)),
                                inexact(checkpoint, dropped)));
            case CheckpointEvent.Copied _ -> {}
            case CheckpointEvent.CopyFailed failed
            when failed.cause() instanceof CommitConflictException conflict ->
                terminal.line("cairn: the copy is no longer updated: %s; training continues without it; %s"
                        .formatted(
                                conflict.reason(), "check the place of the copy; the next start continues the copy"));
            case CheckpointEvent.CopyFailed(Throwable cause, CopyLag lag) ->
                terminal.line("cairn: the copy %s: %s; training continues, and Cairn tries again"
                        .formatted(CopyText.state(lag), Failures.describe(cause)));
            case CheckpointEvent.CopyAhead(var newest) ->
                terminal.line(
                        "cairn: warning: the copy has newer checkpoints than the run, up to step %d; they stay there; to continue from them, move the run away and start again"
                                .formatted(newest.step()));
            case CheckpointEvent.CopyPassedOver(long _, var step, var reason) ->
                terminal.line(Skipped.inCopy(step, reason));
            case CheckpointEvent.Fetched(var checkpoint, var time) ->
                terminal.line("cairn: step %d is complete only in the copy; fetched from there in %s"
                        .formatted(checkpoint.step(), Quantities.seconds(Json.seconds(time))));
        }
    }

    /// Describes the error of a lossy checkpoint: the restored state differs from the one that was scored.
    private static String inexact(Checkpoint checkpoint, boolean dropped) {
        double error = checkpoint.error().ofState();
        if (error == 0 && !dropped) {
            return "";
        }
        return "; stored as %s%s%s"
                .formatted(
                        CodecName.explained(checkpoint.codec()),
                        error == 0
                                ? ""
                                : ", with weights that are off by %s from those that were trained and scored"
                                        .formatted(Quantities.percent(error)),
                        dropped ? ", first moments restored as zeros" : "");
    }

    private static String tooCoarse(long step, String codec, CheckpointEvent.Remedy remedy, double error) {
        String times = Double.isInfinite(error)
                ? "an error although nothing changed"
                : String.format(Locale.ROOT, "an error of %.2f times the change", error);
        return "cairn: step %d: %s"
                .formatted(
                        step,
                        switch (remedy) {
                            case FINER ->
                                "%s would leave %s since the last checkpoint; stored finer".formatted(codec, times);
                            case EXACT ->
                                "no setting of %s is fine enough: the finest leaves %s since the last checkpoint; weights stored exactly"
                                        .formatted(codec, times);
                            case NONE ->
                                "warning: %s left %s since the last checkpoint, so that the last checkpoint is closer to the live weights"
                                        .formatted(codec, times);
                        });
    }
}
