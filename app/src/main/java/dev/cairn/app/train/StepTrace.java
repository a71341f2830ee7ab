package dev.cairn.app.train;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingObserver;
import java.io.PrintWriter;

/// Prints the number of each step immediately, for a process that watches the training. It writes on the training
/// thread, so that the watching process can block the training by not reading. Used only with `--trace-steps`.
record StepTrace(PrintWriter out) implements TrainingObserver {
    @Override
    public void on(TrainingEvent event) {
        if (event instanceof StepMade made) {
            out.println("step " + made.step());
            out.flush();
        }
    }
}
