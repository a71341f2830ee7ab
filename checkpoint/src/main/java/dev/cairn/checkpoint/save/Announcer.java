package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.CheckpointEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/// Passes events to listeners. An event has already happened, so a listener cannot change it. If a listener throws,
/// the error is logged and the other listeners are still called.
public final class Announcer implements CheckpointEvent.Listener {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    private final List<CheckpointEvent.Listener> listeners;

    /// Calls these listeners in order.
    public Announcer(List<CheckpointEvent.Listener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void on(CheckpointEvent event) {
        for (CheckpointEvent.Listener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "listener failed", e);
            }
        }
    }
}
