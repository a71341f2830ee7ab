package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.observe.Observers;
import dev.cairn.observe.ProgressFile;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.TrainingProgress.Snapshot;
import dev.cairn.observe.events.EventLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All observers of `cairn train`: the terminal, `progress.jsonl` in a folder, the recorded events, and further
/// observers.
final class TrainObservers implements AutoCloseable {
    /// The name of the only process of a training. Other processes would need other names.
    private static final String PROCESS = "w0";

    private final Terminal terminal;
    private final TrainingProgress progress = new TrainingProgress(Clock.system());
    private final Optional<ProgressFile> progressFile;
    private final EventLog events;
    private final Observers all;

    /// @param begun whether another process of this training has begun it before
    /// @param others receive every event first
    TrainObservers(Terminal terminal, BlobStore run, boolean begun, List<TrainingObserver> others) {
        this.terminal = terminal;
        this.progressFile = run instanceof LocalBlobStore local
                ? Optional.of(new ProgressFile(local.root(), progress, Clock.system()))
                : Optional.empty();
        this.events = EventLog.in(
                run,
                PROCESS,
                Clock.system(),
                failure -> terminal.line(
                        "cairn: warning: the events of this training are not recorded: %s; training continues"
                                .formatted(Failures.describe(failure))));
        var observers = new ArrayList<>(others);
        observers.add(progress);
        observers.add(new TerminalReport(terminal, progress, begun));
        progressFile.ifPresent(observers::add);
        observers.add(events);
        this.all = Observers.of(observers);
    }

    Observers all() {
        return all;
    }

    TrainingProgress progress() {
        return progress;
    }

    /// The progress of the training in one line; empty while there is nothing to show.
    String progressLine() {
        return progress.now().map(TerminalReport::line).orElse("");
    }

    /// Returns an estimate of the seconds to the last step; 0 if none are left or nothing is known yet.
    double remainingSeconds() {
        return progress.now().map(Snapshot::remainingSeconds).orElse(0.0);
    }

    @Override
    public void close() {
        done();
    }

    /// Clears the progress line, and writes the remaining output.
    void done() {
        terminal.progressDone();
        progressFile.ifPresent(ProgressFile::close);
        events.close();
    }
}
