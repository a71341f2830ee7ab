package dev.cairn.observe;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.store.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Tells several observers, in order. One that throws is logged once; the others are told all the same, and the
/// training goes on.
public final class Observers implements TrainingObserver {
    private static final Logger LOG = System.getLogger("dev.cairn.observe");

    private final List<TrainingObserver> observers;
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

    private Observers(List<TrainingObserver> observers) {
        this.observers = observers;
    }

    /// Those that tell these.
    public static Observers of(List<? extends TrainingObserver> observers) {
        return new Observers(List.copyOf(observers));
    }

    /// Those that tell these.
    public static Observers of(TrainingObserver... observers) {
        return new Observers(List.of(observers));
    }

    @Override
    public void on(TrainingEvent event) {
        for (int i = 0; i < observers.size(); i++) {
            try {
                observers.get(i).on(event);
            } catch (RuntimeException | Error e) {
                if (failed.add(i)) {
                    LOG.log(Level.ERROR, "observer failed, told once: " + observers.get(i), e);
                }
            }
        }
    }

    /// Passes on what happens to checkpoints.
    public CheckpointEvent.Listener listener(Clock clock) {
        return event -> on(new TrainingEvent.Checkpointed(clock.now(), event));
    }
}
