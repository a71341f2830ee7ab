package dev.cairn.train.steps;

import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.ParameterServer.Taken;
import dev.cairn.engine.server.Task;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.team.TeamLostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Lets each gradient of a worker make an update of its own, as soon as it comes. Each worker gets another batch
/// then.
///
/// If a process dies, the batches that were given out and not learned are given out again.
public final class FreeSteps implements Steps {
    private final ParameterServer server;
    private final Meeting meeting;
    private final Dealer dealer;
    private final int scoreEvery;
    private final Progress progress;
    private final Map<Integer, Given> given = new TreeMap<>();
    private final Map<Integer, Integer> tasksOf = new TreeMap<>();
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

        /// The last step of the training. No batch is given out that would not be learned by then.
        long lastStep();

        /// The positions that were given out and not learned, when the state was saved.
        List<Cursor> handedOut();
    }

    /// @param scoreEvery after how many of its own batches a worker scores the test split
    public FreeSteps(ParameterServer server, Meeting meeting, Dealer dealer, int scoreEvery, Progress progress) {
        this.server = server;
        this.meeting = meeting;
        this.dealer = dealer;
        this.scoreEvery = scoreEvery;
        this.progress = progress;
        meeting.onBroken(server::abandon);
        meeting.serves(server.address());
    }

    @Override
    public Made make(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException {
        if (!begun) {
            begun = true;
            dealer.begin(cursor, progress.handedOut());
        }
        while (true) {
            try {
                meet();
                for (int worker = 0; worker < workers && isMoreToGive(); worker++) {
                    if (!given.containsKey(worker)) {
                        give(worker);
                    }
                }
                Taken taken = server.take(update, beforeUpdate);
                Given done = given.remove(taken.worker());
                if (done == null) {
                    throw new IllegalStateException(
                            "a gradient of worker %d that nobody asked for".formatted(taken.worker()));
                }
                Cursor next = dealer.learned(taken.worker(), done.cursor());
                long age = progress.step() - done.step();
                var staleness = new Staleness(1, age, age, 0, repeated);
                repeated = 0;
                meeting.finished(progress.step() + 1);
                return new Made(taken.loss(), taken.examples(), next, staleness, taken.score(), handedOut());
            } catch (BrokenGroupException broken) {
                together = false;
                repeated += given.size();
                given.forEach((worker, lost) -> dealer.lost(worker, lost.cursor()));
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
            server.begin(place.get().generation(), place.get().servers());
            together = true;
        }
    }

    private boolean isMoreToGive() {
        return progress.step() + given.size() < progress.lastStep();
    }

    /// Gives a worker the next batch. It counts as given even if the generation ends meanwhile.
    private void give(int worker) {
        Cursor cursor = dealer.deal(worker);
        given.put(worker, new Given(cursor, progress.step()));
        int count = tasksOf.merge(worker, 1, Integer::sum);
        server.give(worker, new Task(progress.step() + 1, cursor.epoch(), cursor.position(), count % scoreEvery == 0));
    }

    private List<Cursor> handedOut() {
        return dealer.open(given.values().stream().map(Given::cursor).toList());
    }
}
