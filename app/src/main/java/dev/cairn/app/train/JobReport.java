package dev.cairn.app.train;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.BestStep;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.train.Trainer.Start;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.job.JobListener;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/// Reports on the terminal what a job does before and after its training.
record JobReport(CommandSpec command, SavingOptions saving, TrainingProgress progress, Terminal terminal)
        implements JobListener {
    @Override
    public void opened(Supplier<Optional<CopyLag>> lag) {
        progress.watchCopy(lag);
    }

    @Override
    public void begins(Start start, TrainingSettings.Resolved settings, Optional<Checkpoint> newest)
            throws IOException {
        settings.warnings().forEach(warning -> terminal.line("cairn: warning: " + warning));
        switch (start) {
            case Start.Resume _ ->
                newest.flatMap(found -> saving.otherCodec(
                                command, found, settings.settings().steps()))
                        .ifPresent(terminal::line);
            case Start.Fork(ForkPoint point, Matching _) ->
                BestStep.of(point.selector(), point.run(), point.record().step())
                        .note()
                        .ifPresent(terminal::line);
            case Start.Fresh _ -> {
                // There is nothing to compare with.
            }
        }
    }

    @Override
    public void awaitsCopy(CopyLag lag) {
        terminal.progress(() -> "waiting for the copy, at most one minute");
    }
}
