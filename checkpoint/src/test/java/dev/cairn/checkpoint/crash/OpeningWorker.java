package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.WalkingState;
import java.io.IOException;
import java.nio.file.Path;

/// A process to be killed: opens a run with damaged records, which rewrites them, and restores its newest checkpoint.
/// Says in a line what it restored.
final class OpeningWorker {
    static final String RESTORED = "restored ";

    private OpeningWorker() {}

    public static void main(String[] arguments) throws IOException {
        var options = CheckpointOptions.defaults().withoutLog().withListener(OpeningWorker::heard);
        var state = new WalkingState();
        try (Checkpoints checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            checkpoints.restoreLatest(state);
            System.out.println(RESTORED + state.digest());
        }
    }

    private static void heard(CheckpointEvent event) {
        if (!(event instanceof CheckpointEvent.Healed || event instanceof CheckpointEvent.Restored)) {
            System.out.println("WRONG " + event);
        }
    }
}
