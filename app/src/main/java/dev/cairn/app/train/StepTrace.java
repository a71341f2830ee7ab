package dev.cairn.app.train;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingObserver;
import java.io.PrintWriter;

/// Prints the number of each step at once, for a process that watches. That one may hold the training up by not reading
/// on, which is why this writes on the training thread; only `--trace-steps` asks for it.
record StepTrace(PrintWriter out) implements TrainingObserver {
    @Override
    public void on(TrainingEvent event) {
        if (event instanceof StepMade made) {
            out.println("step " + made.step());
            out.flush();
        }
    }
}
