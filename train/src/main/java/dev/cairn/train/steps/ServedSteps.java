package dev.cairn.train.steps;

import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.Task;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.team.TeamLostException;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Lets the workers of a parameter server make the steps. If one of them dies, the state is whole: the step is made
/// again when another one has taken its place.
public final class ServedSteps implements Steps {
    private final ParameterServer server;
    private final Meeting meeting;
    private final DataOrder order;
    private final int batch;
    private final LongSupplier finished;
    private boolean together;
    private int fresh;
    private long generation;

    /// @param batch the size of the batches of all workers together
    /// @param finished the last finished step
    public ServedSteps(ParameterServer server, Meeting meeting, DataOrder order, int batch, LongSupplier finished) {
        this.server = server;
        this.meeting = meeting;
        this.order = order;
        this.batch = batch;
        this.finished = finished;
        meeting.onBroken(server::abandon);
        meeting.serves(server.address());
    }

    @Override
    public Made make(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException {
        var task = new Task(finished.getAsLong() + 1, cursor.epoch(), cursor.position(), false);
        while (true) {
            try {
                meet();
                ParameterServer.Made made = server.step(task, update, beforeUpdate);
                meeting.finished(task.step());
                var staleness = new Staleness(fresh, 0, 0, made.stale(), 0);
                return new Made(made.loss(), made.examples(), order.after(cursor, batch), staleness);
            } catch (BrokenGroupException broken) {
                together = false;
                meeting.leaves(generation);
            }
        }
    }

    private void meet() throws TeamLostException {
        if (!together) {
            Optional<Place> place = meeting.await(finished.getAsLong(), true);
            if (place.isEmpty()) {
                throw new TeamLostException("the training was ended");
            }
            fresh = place.get().generation().fresh();
            generation = place.get().generation().number();
            server.begin(place.get().generation(), place.get().servers());
            together = true;
        }
    }
}
