package dev.cairn.observe.tensorboard;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.observe.TrainingEvent.Checkpointed;
import dev.cairn.observe.TrainingEvent.Scored;
import dev.cairn.observe.TrainingEvent.Started;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingEvent.WentBack;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Writes the curves of a training for TensorBoard, as described in `docs/TENSORBOARD.md`.
///
/// A resumed training goes on in the folder of the one before. It first says from which step on the earlier curves no
/// longer hold, and then records its first step, so that also readers that do not know the first of these drop them.
///
/// The training thread makes a record of every few steps, and counts weights for a five-hundredth of its time at most.
/// Another thread writes. A problem is reported once and does not affect the training.
public final class TensorBoardLog implements Recorder {
    /// The usual number of steps from one record to the next.
    public static final long USUAL_EVERY = 100;

    /// How many times as long as counting the weights the training goes on before they are counted again.
    private static final long HISTOGRAM_PAUSE = 500;

    private final String process;
    private final long every;
    private final Clock clock;
    private final RecordWriter writer;
    private final Thinning thinning = new Thinning();

    // Used only by the training thread.
    private final WeightHistograms histograms = new WeightHistograms();
    private Supplier<List<LiveTensor>> state = List::of;
    private boolean restarted;
    private long histogramsFromNanos;
    private long lastStep;
    private long lastNanos;

    TensorBoardLog(
            CurveFolder folder,
            String process,
            long every,
            Clock clock,
            Consumer<IOException> trouble,
            Duration lastPatience) {
        this.process = process;
        this.every = every;
        this.clock = clock;
        this.writer = new RecordWriter(folder, clock, trouble, lastPatience);
    }

    /// Writes to this folder.
    ///
    /// @param process the name of this process: letters and digits
    /// @param every the number of steps from one record to the next
    /// @param trouble receives the reason once if nothing can be written, on a thread of the log
    public static TensorBoardLog in(
            CurveFolder folder, String process, long every, Clock clock, Consumer<IOException> trouble) {
        return new TensorBoardLog(folder, process, every, clock, trouble, RecordWriter.LAST_PATIENCE);
    }

    @Override
    public void watch(Supplier<List<LiveTensor>> live) {
        state = live;
    }

    @Override
    public void on(TrainingEvent event) {
        switch (event) {
            case Started started -> started(started);
            case StepMade made -> {
                if (restarted || made.step() % every == 0) {
                    stepMade(made);
                }
            }
            case Scored scored -> {
                var values = new LinkedHashMap<String, Double>();
                values.put("test/" + scored.measure(), scored.score());
                values.put("test/loss", scored.loss());
                add("test", scored.time(), scored.step(), values);
            }
            case WentBack back -> restart(back.time(), back.step());
            case Checkpointed(Instant time, CheckpointEvent.Committed committed) -> committed(time, committed);
            case Checkpointed _,
                    TrainingEvent.Warned _,
                    TrainingEvent.Recovered _,
                    TrainingEvent.Worked _,
                    TrainingEvent.Ended _ -> {
                // No curve shows them.
            }
        }
    }

    private void started(Started started) {
        writer.begin(process, started.begin() == Begin.FRESH, started.time());
        restart(started.time(), started.step());
        add(Records.text(started.time(), started.step() + 1, "settings", SettingsText.of(started)));
    }

    /// @param step the last one that holds
    private void restart(Instant time, long step) {
        add(Records.start(time, step + 1));
        restarted = true;
        lastStep = step;
        lastNanos = clock.nanos();
    }

    private void stepMade(StepMade made) {
        boolean first = restarted;
        restarted = false;
        long now = clock.nanos();
        if (!first && !thinning.keeps(made.step() / every)) {
            return;
        }
        var values = new LinkedHashMap<String, Double>();
        values.put("train/loss", made.loss());
        values.put("train/rate", made.rate());
        if (!first && now > lastNanos) { // the first step warms up the engine
            values.put("train/stepsPerSecond", (made.step() - lastStep) * 1e9 / (now - lastNanos));
        }
        lastStep = made.step();
        lastNanos = now;
        add(Records.scalars(made.time(), made.step(), values));
        if (first || now >= histogramsFromNanos) {
            countWeights(made, now, first);
        }
    }

    /// @param cold whether the code may not be compiled yet, so that its time says nothing
    private void countWeights(StepMade made, long began, boolean cold) {
        var tagged = new LinkedHashMap<String, Histogram>();
        histograms.of(state.get()).forEach((name, histogram) -> tagged.put("weights/" + name, histogram));
        if (!tagged.isEmpty()) {
            add(Records.histograms(made.time(), made.step(), tagged));
        }
        long ended = clock.nanos();
        histogramsFromNanos = cold ? ended : ended + HISTOGRAM_PAUSE * (ended - began);
    }

    private void committed(Instant time, CheckpointEvent.Committed committed) {
        long step = committed.checkpoint().step();
        var values = new LinkedHashMap<String, Double>();
        values.put("checkpoint/bytes", (double) committed.checkpoint().storedBytes());
        values.put("checkpoint/stallSeconds", committed.stall().toNanos() / 1e9);
        values.put("checkpoint/persistSeconds", committed.persist().toNanos() / 1e9);
        SaveHistory.read(committed.checkpoint().attributes())
                .map(history -> history.decision().interval())
                .filter(Double::isFinite)
                .ifPresent(interval -> values.put("checkpoint/intervalSeconds", interval));
        if (add("checkpoint", time, step, values)) {
            committed
                    .delta()
                    .filter(delta -> !delta.counts().isEmpty())
                    .ifPresent(delta ->
                            add(Records.histograms(time, step, Map.of("delta/exponents", Histogram.of(delta)))));
        }
    }

    private boolean add(String kind, Instant time, long step, Map<String, Double> values) {
        boolean kept = thinning.keepsNext(kind);
        if (kept) {
            add(Records.scalars(time, step, values));
        }
        return kept;
    }

    private void add(byte[] record) {
        byte[] frame = Frame.of(record);
        thinning.added(frame.length);
        writer.add(frame);
    }

    /// Writes what is left. Returns within five seconds, even if the storage hangs.
    @Override
    public void close() {
        writer.close();
    }
}
