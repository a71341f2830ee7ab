package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.progress.Glance;
import dev.cairn.app.progress.ProgressLine;
import dev.cairn.app.text.Sparkline;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.observe.Observers;
import dev.cairn.observe.ProgressFile;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.TrainingProgress;
import dev.cairn.observe.TrainingProgress.Snapshot;
import dev.cairn.observe.events.EventLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.util.ArrayList;
import java.util.List;

/// All observers of `cairn train`: the terminal, `progress.jsonl` in a folder, the recorded events, curves and figures.
final class TrainObservers implements AutoCloseable {
    /// The name of the only process of a training. Other processes would need other names.
    static final String PROCESS = "w0";

    private final Terminal terminal;
    private final TrainingProgress progress = new TrainingProgress(Clock.system());
    private final Glance glance;
    private final boolean curves = Sparkline.isPossible(System.err.charset());
    private final List<Recorder> recorders = new ArrayList<>();
    private final Observers all;

    /// @param begun whether another process of this training has begun it before
    /// @param policy when the training saves
    /// @param others receive every event first
    /// @param recorders receive every event last, and are closed at the end
    TrainObservers(
            Terminal terminal,
            BlobStore run,
            boolean begun,
            SavePolicy policy,
            List<TrainingObserver> others,
            List<? extends Recorder> recorders) {
        this.terminal = terminal;
        this.glance = new Glance(policy, Clock.system());
        if (run instanceof LocalBlobStore local) {
            this.recorders.add(new ProgressFile(local.root(), progress, Clock.system()));
        }
        this.recorders.add(EventLog.in(
                run,
                PROCESS,
                Clock.system(),
                failure -> terminal.line(
                        "cairn: warning: the events of this training are not recorded: %s; training continues"
                                .formatted(Failures.describe(failure)))));
        this.recorders.addAll(recorders);
        var observers = new ArrayList<>(others);
        observers.add(progress);
        observers.add(glance);
        observers.add(new TerminalReport(terminal, this::progressLine, begun));
        observers.addAll(this.recorders);
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
        return progress.now()
                .map(now -> ProgressLine.of(now, glance.view(), terminal.room(), curves && terminal.isDrawn()))
                .orElse("");
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
        // Together, because storage that hangs makes each of them wait.
        List<Thread> closing = recorders.stream()
                .map(recorder -> Thread.ofVirtual().start(recorder::close))
                .toList();
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
