package dev.cairn.observe;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Passes events to several observers, in order. If an observer throws, this is logged once. The other observers
/// still receive the event, and the training continues.
public final class Observers implements TrainingObserver {
    private static final Logger LOG = System.getLogger("dev.cairn.observe");

    private final List<TrainingObserver> observers;
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

    private Observers(List<TrainingObserver> observers) {
        this.observers = observers;
    }

    /// Returns observers that pass events to these.
    public static Observers of(List<? extends TrainingObserver> observers) {
        return new Observers(List.copyOf(observers));
    }

    /// Returns observers that pass events to these.
    public static Observers of(TrainingObserver... observers) {
        return new Observers(List.of(observers));
    }

    @Override
    public void on(TrainingEvent event) {
        each(observer -> observer.on(event));
    }

    @Override
    public void watch(Supplier<List<LiveTensor>> state) {
        each(observer -> observer.watch(state));
    }

    private void each(Consumer<TrainingObserver> call) {
        for (int i = 0; i < observers.size(); i++) {
            try {
                call.accept(observers.get(i));
            } catch (RuntimeException | Error e) {
                if (failed.add(i)) {
                    LOG.log(Level.ERROR, "observer failed, reported once: " + observers.get(i), e);
                }
            }
        }
    }

    /// Passes on the events of checkpoints.
    public CheckpointEvent.Listener listener(Clock clock) {
        return event -> on(new TrainingEvent.Checkpointed(clock.now(), event));
    }
}
