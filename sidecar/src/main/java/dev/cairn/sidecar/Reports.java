package dev.cairn.sidecar;

import dev.cairn.checkpoint.CheckpointEvent;
import java.util.Map;
import java.util.Optional;

/// Tells the training what its user should know, one line for each event. How saves end is told apart.
final class Reports implements CheckpointEvent.Listener {
    private final Link link;

    Reports(Link link) {
        this.link = link;
    }

    @Override
    public void on(CheckpointEvent event) {
        text(event).ifPresent(text -> link.send("told", Map.of("text", text)));
    }

    private static Optional<String> text(CheckpointEvent event) {
        return switch (event) {
            case CheckpointEvent.PassedOver passed ->
                Optional.of("passed over "
                        + (passed.step().isPresent()
                                ? "the checkpoint of step " + passed.step().getAsLong()
                                : "record " + passed.number())
                        + ": " + passed.reason().getMessage());
            case CheckpointEvent.Healed healed -> Optional.of(healed.text());
            case CheckpointEvent.Rewritten rewritten -> Optional.of(rewritten.text());
            case CheckpointEvent.DamageFound found ->
                Optional.of("damaged: " + found.damage().file() + " ("
                        + found.damage().reason() + "); run 'cairn verify', then 'cairn repair'");
            case CheckpointEvent.ChainInDoubt doubt ->
                Optional.of("a file that the checkpoint of step "
                        + doubt.newest().step() + " needs cannot be read (" + Complaints.line(doubt.cause())
                        + "); the next save does not build on it");
            case CheckpointEvent.TooCoarse coarse
            when coarse.remedy() != CheckpointEvent.Remedy.FINER ->
                Optional.of("codec " + coarse.codec().text() + " is coarse for step " + coarse.step()
                        + ": its error is " + coarse.error() + " of the change since the last checkpoint");
            case CheckpointEvent.HousekeepingFailed failed ->
                Optional.of("old checkpoints were not merged or removed (" + Complaints.line(failed.cause())
                        + "); this is tried again after the next save");
            case CheckpointEvent.Restored restored
            when restored.dropped() -> Optional.of("first moments were not stored and are zeros now");
            case CheckpointEvent.Committed _,
                    CheckpointEvent.TooCoarse _,
                    CheckpointEvent.SaveFailed _,
                    CheckpointEvent.SaveSkipped _,
                    CheckpointEvent.BestNotSaved _,
                    CheckpointEvent.SaveAborted _,
                    CheckpointEvent.Merged _,
                    CheckpointEvent.Pruned _,
                    CheckpointEvent.ScrubFailed _,
                    CheckpointEvent.Restored _,
                    CheckpointEvent.RestoredInPart _,
                    CheckpointEvent.Forked _,
                    CheckpointEvent.Copied _,
                    CheckpointEvent.CopyFailed _,
                    CheckpointEvent.CopyAhead _,
                    CheckpointEvent.CopyPassedOver _,
                    CheckpointEvent.Fetched _ -> Optional.empty();
        };
    }
}
