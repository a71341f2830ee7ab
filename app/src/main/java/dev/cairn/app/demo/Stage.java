package dev.cairn.app.demo;

import dev.cairn.app.console.Terminal;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Where a demonstration trains, and who sees it.
///
/// @param log the file for all that the trainings say
/// @param started receives each training as soon as it has started
record Stage(Terminal terminal, Path log, long steps, Consumer<TrainingProcess> started) {
    TrainingProcess start(List<String> settings, Path run) throws IOException {
        Stream<String> arguments = Stream.concat(settings.stream(), Stream.of("--run", run.toString()));
        TrainingProcess process = TrainingProcess.start(log, arguments.toList());
        started.accept(process);
        return process;
    }

    void showStep(long step) {
        terminal.progress(() -> "     step %d/%d".formatted(step, steps));
    }

    /// The checkpoints of this run, oldest first.
    static List<Commit> checkpoints(Path run) throws IOException {
        return new CheckpointStore(new LocalBlobStore(run)).history().currentCheckpoints();
    }
}
