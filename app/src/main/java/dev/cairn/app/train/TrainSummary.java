package dev.cairn.app.train;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.progress.CopyText;
import dev.cairn.app.run.Keeping;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Prose;
import dev.cairn.app.text.Quantities;
import dev.cairn.checkpoint.SaveStatistics;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.TrainingResult;
import dev.cairn.train.TrainingResult.End;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.job.JobResult;
import dev.cairn.train.steps.Staleness;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;

/// The result of a training, for people and for scripts.
///
/// @param run its name, for people
/// @param keeping why the run has more checkpoints than were asked for
/// @param copy the place of the copy, for people
record TrainSummary(String run, JobResult job, Optional<String> keeping, String copy) {
    /// Does not read files.
    static TrainSummary of(RunLocation run, JobResult job, String copy) throws IOException {
        return new TrainSummary(run.toString(), job, Keeping.of(job.history()).flatMap(Keeping::note), copy);
    }

    void print(PrintWriter out, Duration wall) {
        TrainingSettings settings = job.settings();
        TrainingResult result = job.training();
        SaveStatistics saves = job.saves();
        Prose.print(
                out,
                "%s on %s: step %,d%s, epoch %d%s%s"
                        .formatted(
                                settings.workload().label(),
                                settings.data(),
                                result.step(),
                                result.step() > settings.steps()
                                        ? ", already beyond --steps %,d".formatted(settings.steps())
                                        : " of %,d".formatted(settings.steps()),
                                result.epoch(),
                                result.end() instanceof End.Reached ? ", goal reached" : "",
                                result.resumedFromStep() == null
                                        ? ""
                                        : ", resumed from step %,d".formatted(result.resumedFromStep())));
        if (!Double.isNaN(result.loss()) || result.step() > 0) {
            row(out, "loss", Quantities.decimal(result.loss()));
        }
        if (!Double.isNaN(result.bestScore())) {
            // A state restored with an error has another score than before it was stored.
            boolean differs = result.bestStep() == result.step() && result.bestScore() != result.score();
            row(
                    out,
                    result.measure().label(),
                    "%s on the test split, best %s at step %,d%s"
                            .formatted(
                                    Quantities.score(result.measure(), result.score()),
                                    Quantities.score(result.measure(), result.bestScore()),
                                    result.bestStep(),
                                    differs
                                            ? ", scored before it was stored"
                                            : job.bestIsKept() ? "" : ", without a checkpoint"));
        }
        row(
                out,
                "checkpoints",
                "%d in %s, %d saved by this start; the training waited %s for them, of %s"
                        .formatted(
                                job.checkpoints(),
                                run,
                                saves.committed(),
                                Quantities.seconds(Json.seconds(saves.stall())),
                                Quantities.seconds(Json.seconds(wall))));
        keeping.ifPresent(why -> row(out, "", why));
        job.lag().ifPresent(behind -> row(out, "copy", CopyText.atTheEnd(copy, behind)));
        if (job.settings().mode().isServed()) {
            row(
                    out,
                    "staleness",
                    "%.2f updates on average, %d at most; %d gradients came too late and were dropped"
                            .formatted(
                                    result.staleness().mean(),
                                    result.staleness().largest(),
                                    result.staleness().dropped()));
        }
        if (result.weightsSha256() != null) {
            row(out, "weights", "sha256 " + result.weightsSha256());
        }
        out.flush();
    }

    private static void row(PrintWriter out, String name, String text) {
        Prose.print(out, "  %-11s  ".formatted(name), text);
    }

    private String end() {
        return switch (job.training().end()) {
            case End.Done _ -> "done";
            case End.Reached _ -> "goal";
            case End.Stopped _ -> "notice";
            case End.Diverged _ -> "diverged";
        };
    }

    /// @param remaining the estimated seconds of training that remain
    ObjectNode json(Duration wall, double remaining) {
        TrainingResult result = job.training();
        SaveStatistics saves = job.saves();
        ObjectNode json = Json.object()
                .put("step", result.step())
                .put("steps", job.settings().steps())
                .put("epoch", result.epoch());
        Json.putNumber(json, "loss", result.loss());
        Json.putNumber(json, result.measure().label(), result.score());
        Json.putNumber(json, "testLoss", result.testLoss());
        Json.putNumber(json, result.measure().bestLabel(), result.bestScore());
        json.put("end", end());
        job.lag().ifPresent(behind -> Json.putLag(json, behind));
        if (job.settings().mode() != TrainingSettings.Mode.SINGLE) {
            json.put("workers", job.settings().workers())
                    .put("mode", job.settings().mode().label());
        }
        if (job.settings().mode().isServed()) {
            Staleness staleness = result.staleness();
            json.put("meanStaleness", staleness.mean())
                    .put("largestStaleness", staleness.largest())
                    .put("staleGradients", staleness.dropped())
                    .put("repeatedGradients", staleness.repeated());
        }
        return json.put("bestStep", result.bestStep())
                .put("bestIsKept", job.bestIsKept())
                .put("resumedFromStep", result.resumedFromStep())
                .put("checkpoints", job.checkpoints())
                .put("savedCheckpoints", saves.committed())
                .put("failedSaves", saves.failed())
                .put("skippedSaves", saves.skipped())
                .put("abortedSaves", saves.aborted())
                .put("remainingSeconds", remaining)
                .put("stallSeconds", Json.seconds(saves.stall()))
                .put("wallSeconds", Json.seconds(wall))
                .put("weightsSha256", result.weightsSha256());
    }
}
