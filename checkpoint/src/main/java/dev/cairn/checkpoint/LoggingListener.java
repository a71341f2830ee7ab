package dev.cairn.checkpoint;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// One log line an event, `key=value`.
final class LoggingListener implements CheckpointEvent.Listener {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    @Override
    public void on(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Committed(var checkpoint, var stall, var persist) ->
                LOG.log(
                        Level.DEBUG,
                        "committed number={0} step={1} bytes={2} stall={3} persist={4}",
                        checkpoint.number(),
                        checkpoint.step(),
                        checkpoint.storedBytes(),
                        stall,
                        persist);
            case CheckpointEvent.SaveFailed(long step, Exception cause) ->
                LOG.log(Level.ERROR, "save failed step=" + step, cause);
            case CheckpointEvent.SaveSkipped(long step, long inFlight) ->
                LOG.log(Level.WARNING, "save skipped step={0} in-flight={1}", step, inFlight);
            case CheckpointEvent.PassedOver(long number, var reason) ->
                LOG.log(Level.WARNING, "passed over number={0}: {1}", number, reason.getMessage());
            case CheckpointEvent.Restored(var checkpoint, var time) ->
                LOG.log(Level.INFO, "restored step={0} time={1}", checkpoint.step(), time);
        }
    }
}
