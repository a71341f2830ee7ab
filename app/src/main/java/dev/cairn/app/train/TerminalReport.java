package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.CodecName;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
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

/// What a person sees of a training while it runs: a line that is redrawn, and lines that stay.
final class TerminalReport implements TrainingObserver {
    private final Terminal terminal;
    private final TrainingProgress progress;
    private volatile long steps;
    private boolean warm;

    /// @param progress told of every event before this one is
    TerminalReport(Terminal terminal, TrainingProgress progress) {
        this.terminal = terminal;
        this.progress = progress;
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
                warm = true; // the first step tells nothing of the time that is left
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
            case TrainingEvent.Scored _, TrainingEvent.Ended _ -> {
                // The line that is redrawn, or the summary, tells.
            }
        }
    }

    /// A warning with its cure, if there is one by an option.
    static String warning(TrainingEvent.Warned warned) {
        return "cairn: warning: " + warned.message()
                + (warned.about().equals(Scoring.DEAD_UNITS) ? ": try a lower --rate, or --activation tanh" : "");
    }

    private static String line(Snapshot now) {
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
                // The training ends by it, and says so.
            }
            case CheckpointEvent.SaveFailed(long step, Throwable cause) ->
                terminal.line("cairn: save of step %d failed: %s%s"
                        .formatted(step, Failures.describe(cause), step < steps ? "; training goes on" : ""));
            case CheckpointEvent.SaveSkipped skipped
            when skipped.isWorthTelling() ->
                terminal.line("cairn: save of step %d skipped, %d so far: that of step %d is still being written"
                        .formatted(skipped.step(), skipped.soFar(), skipped.stepInFlight()));
            case CheckpointEvent.SaveSkipped _ -> {}
            case CheckpointEvent.BestNotSaved(long step, double share) ->
                terminal.line("cairn: step %d scored best and is not saved: saves would take more than %s of the time"
                        .formatted(step, Quantities.share(share)));
            case CheckpointEvent.SaveAborted(long step) ->
                terminal.line("cairn: save of step %d given up".formatted(step));
            case CheckpointEvent.Merged _ -> {}
            case CheckpointEvent.Pruned _ -> {}
            case CheckpointEvent.HousekeepingFailed failed when failed.cause() instanceof CommitConflictException -> {
                // As above.
            }
            case CheckpointEvent.HousekeepingFailed(long step, Throwable cause) ->
                terminal.line("cairn: old checkpoints could not be merged or removed after step %d: %s; %s"
                        .formatted(
                                step, Failures.describe(cause), "nothing is lost, trying again after the next save"));
            case CheckpointEvent.ChainInDoubt(var newest, Throwable cause) ->
                terminal.line(
                        "cairn: warning: step %d, and earlier checkpoints that need the same, may not restore: %s; the state is saved whole at once, and training goes on; 'cairn verify' tells which are good"
                                .formatted(newest.step(), Failures.describe(cause)));
            case CheckpointEvent.PassedOver(long _, var reason) ->
                terminal.line("cairn: a checkpoint is passed over for an earlier one: " + reason.getMessage());
            case CheckpointEvent.Restored(var checkpoint, boolean dropped, var time) ->
                terminal.line("cairn: resumed from step %d in %s%s"
                        .formatted(
                                checkpoint.step(),
                                Quantities.seconds(Json.seconds(time)),
                                inexact(checkpoint, dropped)));
            case CheckpointEvent.RestoredInPart(var checkpoint, var difference) ->
                terminal.line("cairn: step %d restored in part: %d tensors fit; %s"
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
                terminal.line("cairn: the copy is not kept up any more: %s; training goes on without it; %s"
                        .formatted(
                                conflict.reason().replaceFirst("^the run was", "it was"),
                                "see to its place, then the next start goes on copying"));
            case CheckpointEvent.CopyFailed(Throwable cause, CopyLag lag) ->
                terminal.line("cairn: the copy %s: %s; the run itself goes on, trying again"
                        .formatted(CopyText.state(lag), Failures.describe(cause)));
            case CheckpointEvent.CopyAhead(var newest) ->
                terminal.line(
                        "cairn: warning: the copy has newer checkpoints than the run, up to step %d; they stay there; to go on from them, move the run away and start again"
                                .formatted(newest.step()));
            case CheckpointEvent.CopyPassedOver(long _, var reason) ->
                terminal.line("cairn: a checkpoint of the copy is passed over: " + reason.getMessage());
            case CheckpointEvent.Fetched(var checkpoint, var time) ->
                terminal.line("cairn: step %d is whole only in the copy; fetched from there in %s"
                        .formatted(checkpoint.step(), Quantities.seconds(Json.seconds(time))));
        }
    }

    /// What a lossy checkpoint is off, for it is not the state that was trained and scored.
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
                                : ", its weights are off by %s from those that were trained and scored"
                                        .formatted(Quantities.percent(error)),
                        dropped ? ", first moments come back as zeros" : "");
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
                                "no setting of %s is fine enough, the best leaves %s since the last checkpoint; weights stored exactly"
                                        .formatted(codec, times);
                            case NONE ->
                                "warning: %s left %s since the last checkpoint, which would be the better one to go back to"
                                        .formatted(codec, times);
                        });
    }
}
