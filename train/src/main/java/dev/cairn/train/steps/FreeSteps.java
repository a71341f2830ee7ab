package dev.cairn.train.steps;

import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.ParameterServer.Taken;
import dev.cairn.engine.server.Task;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.team.TeamLostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Lets each gradient of a worker make an update of its own, as soon as it comes. Each worker gets another batch
/// then.
///
/// The batches are given out in the order of the data. If a process dies, those that were given out and not learned
/// are given out again, so each example still comes once an epoch.
public final class FreeSteps implements Steps {
    private final ParameterServer server;
    private final Meeting meeting;
    private final DataOrder order;
    private final int batch;
    private final int scoreEvery;
    private final Progress progress;
    private final Map<Integer, Given> given = new TreeMap<>();
    private final Deque<Cursor> again = new ArrayDeque<>();
    private final Map<Integer, Integer> tasksOf = new TreeMap<>();
    private Cursor next = Cursor.START;
    private boolean begun;
    private boolean together;
    private long generation;
    private int workers;
    private long repeated;

    /// What a worker has to do.
    ///
    /// @param step the last finished step at that moment
    private record Given(Cursor cursor, long step) {}

    /// How far the training is.
    public interface Progress {
        /// The last finished step.
        long step();

        /// The positions that were given out and not learned, when the state was saved.
        List<Cursor> handedOut();
    }

    /// @param batch the size of the batch of one worker
    /// @param scoreEvery after how many of its own batches a worker scores the test split
    public FreeSteps(
            ParameterServer server, Meeting meeting, DataOrder order, int batch, int scoreEvery, Progress progress) {
        this.server = server;
        this.meeting = meeting;
        this.order = order;
        this.batch = batch;
        this.scoreEvery = scoreEvery;
        this.progress = progress;
        meeting.onBroken(server::abandon);
        meeting.serves(server.address());
    }

    @Override
    public Made make(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException {
        if (!begun) {
            begun = true;
            again.addAll(progress.handedOut());
        }
        next = cursor;
        while (true) {
            try {
                meet();
                for (int worker = 0; worker < workers; worker++) {
                    if (!given.containsKey(worker)) {
                        give(worker);
                    }
                }
                Taken taken = server.take(update, beforeUpdate);
                Given done = given.remove(taken.worker());
                long age = done == null ? 0 : progress.step() - done.step();
                var staleness = new Staleness(1, age, age, 0, repeated);
                repeated = 0;
                meeting.finished(progress.step() + 1);
                return new Made(taken.loss(), taken.examples(), next, staleness, taken.score(), handedOut());
            } catch (BrokenGroupException broken) {
                together = false;
                repeated += given.size();
                given.values().forEach(lost -> again.addLast(lost.cursor()));
                given.clear();
                meeting.leaves(generation);
            }
        }
    }

    private void meet() throws TeamLostException {
        if (!together) {
            Optional<Place> place = meeting.await(progress.step(), true);
            if (place.isEmpty()) {
                throw new TeamLostException("the training was ended");
            }
            generation = place.get().generation().number();
            workers = place.get().generation().workers();
            server.begin(place.get().generation());
            together = true;
        }
    }

    /// Gives a worker the next batch. It counts as given even if the generation ends meanwhile.
    private void give(int worker) {
        Cursor cursor;
        if (again.isEmpty()) {
            cursor = next;
            next = order.after(cursor, batch);
        } else {
            cursor = again.removeFirst();
        }
        given.put(worker, new Given(cursor, progress.step()));
        int count = tasksOf.merge(worker, 1, Integer::sum);
        server.give(worker, new Task(progress.step() + 1, cursor.epoch(), cursor.position(), count % scoreEvery == 0));
    }

    private List<Cursor> handedOut() {
        var all = new ArrayList<>(again);
        given.values().forEach(each -> all.add(each.cursor()));
        return all;
    }
}
