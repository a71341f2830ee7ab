package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.CheckpointEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/// Tells listeners what happened, after it happened: nothing that they do changes it. One that throws is logged, and
/// the others are told all the same.
public final class Announcer implements CheckpointEvent.Listener {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    private final List<CheckpointEvent.Listener> listeners;

    /// Tells these, in order.
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
