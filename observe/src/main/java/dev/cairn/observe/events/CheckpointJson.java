package dev.cairn.observe.events;

import static dev.cairn.observe.events.EventJson.label;
import static dev.cairn.observe.events.EventJson.line;
import static dev.cairn.observe.events.EventJson.number;
import static dev.cairn.observe.events.EventJson.seconds;
import static dev.cairn.observe.events.EventJson.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.save.SaveHistory;
import java.time.Instant;

/// Converts events of checkpoints to JSON.
final class CheckpointJson {
    /// The maximum number of removed checkpoints that an event names.
    private static final int MOST_STEPS = 100;

    private CheckpointJson() {}

    static ObjectNode of(Instant time, CheckpointEvent event) {
        return switch (event) {
            case CheckpointEvent.Committed committed -> committed(time, committed);
            case CheckpointEvent.TooCoarse coarse -> {
                ObjectNode line = line("tooCoarse", time, coarse.step()).put("remedy", label(coarse.remedy()));
                number(line, "errorOfChange", coarse.error());
                yield text(line, "codec", coarse.codec().text());
            }
            case CheckpointEvent.SaveFailed failed -> reason(line("saveFailed", time, failed.step()), failed.cause());
            case CheckpointEvent.SaveSkipped skipped ->
                line("saveSkipped", time, skipped.step())
                        .put("stepInFlight", skipped.stepInFlight())
                        .put("soFar", skipped.soFar());
            case CheckpointEvent.BestNotSaved best -> {
                ObjectNode line = line("bestNotSaved", time, best.step());
                number(line, "share", best.share());
                yield line;
            }
            case CheckpointEvent.SaveAborted aborted -> line("saveAborted", time, aborted.step());
            case CheckpointEvent.Merged merged ->
                checkpoint(line("merged", time, merged.checkpoint().step()), merged.checkpoint())
                        .put("deltas", merged.deltas())
                        .put("seconds", seconds(merged.time()));
            case CheckpointEvent.Pruned pruned -> pruned(time, pruned);
            case CheckpointEvent.HousekeepingFailed failed ->
                reason(line("housekeepingFailed", time, failed.step()), failed.cause());
            case CheckpointEvent.ChainInDoubt doubt ->
                reason(line("chainInDoubt", time, doubt.newest().step()), doubt.cause());
            case CheckpointEvent.PassedOver passed ->
                reason(line("passedOver", time).put("number", passed.number()), passed.reason());
            case CheckpointEvent.Healed healed ->
                reason(
                        line("healed", time).put("file", healed.damage().file()).put("source", healed.source()),
                        healed.damage());
            case CheckpointEvent.Rewritten rewritten ->
                reason(
                        line("rewritten", time)
                                .put("file", rewritten.damage().file())
                                .put("source", rewritten.source()),
                        rewritten.damage());
            case CheckpointEvent.DamageFound found ->
                reason(line("damageFound", time).put("file", found.damage().file()), found.damage());
            case CheckpointEvent.ScrubFailed failed -> reason(line("scrubFailed", time), failed.cause());
            case CheckpointEvent.Restored restored ->
                checkpoint(line("restored", time, restored.checkpoint().step()), restored.checkpoint())
                        .put("dropped", restored.dropped())
                        .put("seconds", seconds(restored.time()));
            case CheckpointEvent.RestoredInPart part ->
                text(
                        line("restoredInPart", time, part.checkpoint().step())
                                .put("fitting", part.difference().fitting().size()),
                        "difference",
                        part.difference().text());
            case CheckpointEvent.Forked forked -> {
                ObjectNode line =
                        checkpoint(line("forked", time, forked.checkpoint().step()), forked.checkpoint());
                text(line, "run", forked.run());
                yield line.put("dropped", forked.dropped()).put("seconds", seconds(forked.time()));
            }
            case CheckpointEvent.Copied copied ->
                lag(line("copied", time, copied.checkpoint().step()), copied.lag())
                        .put("seconds", seconds(copied.time()));
            case CheckpointEvent.CopyFailed failed ->
                reason(lag(line("copyFailed", time), failed.lag()), failed.cause());
            case CheckpointEvent.CopyAhead ahead ->
                line("copyAhead", time).put("copyStep", ahead.newest().step());
            case CheckpointEvent.CopyPassedOver passed ->
                reason(line("copyPassedOver", time).put("number", passed.number()), passed.reason());
            case CheckpointEvent.Fetched fetched ->
                checkpoint(line("fetched", time, fetched.checkpoint().step()), fetched.checkpoint())
                        .put("seconds", seconds(fetched.time()));
        };
    }

    private static ObjectNode committed(Instant time, CheckpointEvent.Committed committed) {
        ObjectNode line =
                checkpoint(line("committed", time, committed.checkpoint().step()), committed.checkpoint());
        line.put("stallSeconds", seconds(committed.stall())).put("persistSeconds", seconds(committed.persist()));
        number(line, "errorOfState", committed.error().ofState());
        number(line, "errorOfChange", committed.error().ofChange());
        SaveHistory.read(committed.checkpoint().attributes()).ifPresent(history -> {
            number(line, "intervalSeconds", history.decision().interval());
            line.put("intervalFollowed", history.followed());
            text(line, "intervalReason", history.decision().text());
        });
        return line;
    }

    private static ObjectNode checkpoint(ObjectNode line, Checkpoint checkpoint) {
        text(line.put("number", checkpoint.number()), "id", checkpoint.id());
        text(line.put("kind", label(checkpoint.kind())), "codec", checkpoint.codec());
        return line.put("storedBytes", checkpoint.storedBytes()).put("fullBytes", checkpoint.fullBytes());
    }

    private static ObjectNode pruned(Instant time, CheckpointEvent.Pruned pruned) {
        ObjectNode line = line("pruned", time)
                .put("checkpoints", pruned.checkpoints().size())
                .put(
                        "storedBytes",
                        pruned.checkpoints().stream()
                                .mapToLong(Checkpoint::storedBytes)
                                .sum());
        EventJson.integers(
                line,
                "steps",
                pruned.checkpoints().stream()
                        .limit(MOST_STEPS)
                        .map(Checkpoint::step)
                        .toList());
        return line;
    }

    private static ObjectNode lag(ObjectNode line, CopyLag lag) {
        return line.put("copyReachable", lag.reachable())
                .put("copyKept", lag.kept())
                .put("copyLagCheckpoints", lag.checkpoints())
                .put("copyLagSteps", lag.steps().isPresent() ? lag.steps().getAsLong() : null)
                .put("copyLagSeconds", seconds(lag.time()));
    }

    private static ObjectNode reason(ObjectNode line, Throwable cause) {
        return text(line, "reason", String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()));
    }
}
