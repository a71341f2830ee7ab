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

/// All who watch a training of `cairn train`: the terminal, `progress.jsonl` in a folder, the events that are kept, and
/// those that are given.
final class TrainObservers implements AutoCloseable {
    /// The one process of a training; others will have other names.
    private static final String PROCESS = "w0";

    private final Terminal terminal;
    private final TrainingProgress progress = new TrainingProgress(Clock.system());
    private final Optional<ProgressFile> progressFile;
    private final EventLog events;
    private final Observers all;

    /// @param others told before all else
    TrainObservers(Terminal terminal, BlobStore run, List<TrainingObserver> others) {
        this.terminal = terminal;
        this.progressFile = run instanceof LocalBlobStore local
                ? Optional.of(new ProgressFile(local.root(), progress, Clock.system()))
                : Optional.empty();
        this.events = EventLog.in(
                run,
                PROCESS,
                Clock.system(),
                failure ->
                        terminal.line("cairn: warning: the events of this training are not kept: %s; training goes on"
                                .formatted(Failures.describe(failure))));
        var observers = new ArrayList<>(others);
        observers.add(progress);
        observers.add(new TerminalReport(terminal, progress));
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

    /// An estimate of the time to the last step; 0 if none is left or nothing is known.
    double remainingSeconds() {
        return progress.now().map(Snapshot::remainingSeconds).orElse(0.0);
    }

    @Override
    public void close() {
        done();
    }

    /// Clears the line that is redrawn, and writes what is not written yet.
    void done() {
        terminal.progressDone();
        progressFile.ifPresent(ProgressFile::close);
        events.close();
    }
}
