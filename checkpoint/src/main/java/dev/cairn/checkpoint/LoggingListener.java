package dev.cairn.checkpoint;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Logs one line for each event, as `key=value`. The text is built here because the logger's own format would
/// group digits by the locale of the machine. The stack trace of a repeated failure is logged once until a save
/// succeeds.
final class LoggingListener implements CheckpointEvent.Listener {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    @Override
    public void on(CheckpointEvent event) {
        if (event instanceof CheckpointEvent.Committed) {
            told.clear();
        }
        switch (event) {
            case CheckpointEvent.Committed(
                    var checkpoint,
                    Duration stall,
                    Duration persist,
                    WeightError error,
                    var _) ->
                LOG.log(
                        Level.DEBUG,
                        "committed number=" + checkpoint.number() + " step=" + checkpoint.step() + " bytes="
                                + checkpoint.storedBytes() + " stallSeconds=" + seconds(stall) + " persistSeconds="
                                + seconds(persist) + " errorOfState=" + error.ofState() + " errorOfChange="
                                + error.ofChange());
            case CheckpointEvent.TooCoarse(long step, Codec codec, CheckpointEvent.Remedy remedy, double error) ->
                LOG.log(
                        Level.WARNING,
                        "too coarse step=" + step + " codec=" + codec.text() + " errorOfChange=" + error + " remedy="
                                + remedy);
            case CheckpointEvent.SaveFailed(long step, Throwable cause) ->
                failure(Level.ERROR, "save failed", " step=" + step, cause);
            case CheckpointEvent.SaveSkipped skipped ->
                LOG.log(
                        skipped.isWorthTelling() ? Level.WARNING : Level.DEBUG,
                        "save skipped step=" + skipped.step() + " inFlight=" + skipped.stepInFlight() + " skippedSoFar="
                                + skipped.soFar());
            case CheckpointEvent.SaveAborted(long step) -> LOG.log(Level.WARNING, "save aborted step=" + step);
            case CheckpointEvent.Merged(var checkpoint, int deltas, Duration time) ->
                LOG.log(
                        Level.DEBUG,
                        "merged step=" + checkpoint.step() + " deltas=" + deltas + " bytes=" + checkpoint.storedBytes()
                                + " seconds=" + seconds(time));
            case CheckpointEvent.Pruned(var checkpoints) ->
                LOG.log(
                        Level.DEBUG,
                        "pruned steps="
                                + checkpoints.stream()
                                        .map(checkpoint -> Long.toString(checkpoint.step()))
                                        .collect(Collectors.joining(",")));
            case CheckpointEvent.HousekeepingFailed(long step, Throwable cause) ->
                failure(Level.WARNING, "housekeeping failed", " step=" + step, cause);
            case CheckpointEvent.ChainInDoubt(var newest, Throwable cause) ->
                LOG.log(Level.ERROR, "chain in doubt step=" + newest.step() + " reason=" + cause.getMessage());
            case CheckpointEvent.PassedOver(long number, var step, var reason) ->
                LOG.log(Level.WARNING, "passed over number=" + number + text(step) + " reason=" + reason.getMessage());
            case CheckpointEvent.Healed healed ->
                LOG.log(
                        Level.WARNING,
                        healed.text() + " reason=" + healed.damage().reason());
            case CheckpointEvent.Rewritten rewritten ->
                LOG.log(
                        Level.WARNING,
                        rewritten.text() + " reason=" + rewritten.damage().reason());
            case CheckpointEvent.DamageFound(var damage) ->
                LOG.log(Level.ERROR, "damage found file=" + damage.file() + " reason=" + damage.reason());
            case CheckpointEvent.ScrubFailed(Throwable cause) -> failure(Level.WARNING, "scrub failed", "", cause);
            case CheckpointEvent.Restored(var checkpoint, boolean _, Duration time) ->
                LOG.log(Level.INFO, "restored step=" + checkpoint.step() + " seconds=" + seconds(time));
            case CheckpointEvent.RestoredInPart(var checkpoint, StateDifference difference) ->
                LOG.log(
                        Level.WARNING,
                        "restored in part step=" + checkpoint.step() + " fitting="
                                + difference.fitting().size() + " differing: " + difference.text());
            case CheckpointEvent.Forked(String run, var checkpoint, boolean _, Duration time) ->
                LOG.log(Level.INFO, "forked run=" + run + " step=" + checkpoint.step() + " seconds=" + seconds(time));
            case CheckpointEvent.Copied(var checkpoint, Duration time, CopyLag lag) ->
                LOG.log(
                        Level.DEBUG,
                        "copied step=" + checkpoint.step() + " seconds=" + seconds(time) + " " + text(lag));
            case CheckpointEvent.CopyFailed(Throwable cause, CopyLag lag) ->
                failure(Level.WARNING, "copy failed", " " + text(lag), cause);
            case CheckpointEvent.BestNotSaved(long step, double share) ->
                LOG.log(Level.WARNING, "best not saved step=" + step + " allowedShare=" + share);
            case CheckpointEvent.CopyAhead(var newest) ->
                LOG.log(Level.WARNING, "the copy is ahead step=" + newest.step());
            case CheckpointEvent.CopyPassedOver(long number, var step, var reason) ->
                LOG.log(
                        Level.WARNING,
                        "passed over in the copy number=" + number + text(step) + " reason=" + reason.getMessage());
            case CheckpointEvent.Fetched(var checkpoint, Duration time) ->
                LOG.log(Level.INFO, "fetched from the copy step=" + checkpoint.step() + " seconds=" + seconds(time));
        }
    }

    private void failure(Level level, String what, String details, Throwable cause) {
        String line = what + details + " reason=" + cause;
        if (told.add(what + " " + cause.getClass().getName())) {
            LOG.log(level, line, cause);
        } else {
            LOG.log(level, line);
        }
    }

    private static String text(OptionalLong step) {
        return step.isPresent() ? " step=" + step.getAsLong() : "";
    }

    private static String text(CopyLag lag) {
        String steps = lag.steps().isPresent() ? Long.toString(lag.steps().getAsLong()) : "unknown";
        return "lagSteps=" + steps + " reachable=" + lag.reachable();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
