package dev.cairn.bench;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;

/// The time between two steps of a training.
public final class StepWatch implements TrainingObserver {
    private final long from;
    private final long to;
    private long began;
    private double seconds;

    /// Watches one training.
    ///
    /// @param from after this step the time begins
    /// @param to after this step it ends
    public StepWatch(long from, long to) {
        this.from = from;
        this.to = to;
    }

    public double seconds() {
        return seconds;
    }

    @Override
    public void on(TrainingEvent event) {
        if (event instanceof TrainingEvent.StepMade made && made.step() == from) {
            began = System.nanoTime();
        } else if (event instanceof TrainingEvent.StepMade made && made.step() == to) {
            seconds = (System.nanoTime() - began) / 1e9;
        }
    }
}
