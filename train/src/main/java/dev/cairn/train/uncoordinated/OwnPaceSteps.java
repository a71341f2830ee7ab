package dev.cairn.train.uncoordinated;

import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.ParameterServer;
import dev.cairn.engine.server.ParameterServer.Taken;
import dev.cairn.engine.server.Task;
import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.steps.Staleness;
import dev.cairn.train.steps.Steps;
import dev.cairn.train.team.TeamLostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The steps of a server whose workers save for themselves, and know themselves which examples they learn. Each
/// gradient
/// makes an update. Whenever a process has died, all go back to checkpoints that belong together.
public final class OwnPaceSteps implements Steps, AutoCloseable {
    private final ParameterServer server;
    private final Meeting meeting;
    private final DataOrder order;
    private final int batch;
    private final int scoreEvery;
    private final Path job;
    private final State state;
    private final MessageLog log;
    private final TreeMap<Integer, Long> given = new TreeMap<>();
    private long[] received = {};
    private boolean together;
    private long generation;
    private long lost;

    /// The state of the server.
    public interface State {
        /// The last finished step.
        long step();

        long lastStep();

        /// How many gradients of each worker the state has, as positions.
        List<Cursor> received();

        /// Goes back to the checkpoint of this step. At step 0 for the first time, that is made.
        void goBack(long step) throws IOException;
    }

    /// @param job the folder of the job
    public OwnPaceSteps(
            ParameterServer server, Meeting meeting, DataOrder order, int batch, int scoreEvery, Path job, State state)
            throws IOException {
        this.server = server;
        this.meeting = meeting;
        this.order = order;
        this.batch = batch;
        this.scoreEvery = scoreEvery;
        this.job = job;
        this.state = state;
        this.log = MessageLog.in(job.resolve(JobRecords.SERVER));
        meeting.onBroken(server::abandon);
        meeting.serves(server.address());
    }

    @Override
    public Optional<Made> tryMake(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException {
        try {
            if (!together) {
                meet(beforeUpdate);
                return Optional.empty(); // the state is another one now
            }
            long open = given.size();
            for (int worker = 0; worker < received.length && state.step() + open < state.lastStep(); worker++) {
                if (!given.containsKey(worker)) {
                    give(worker);
                    open++;
                }
            }
            Taken taken = server.take(update, beforeUpdate);
            Long since = given.remove(taken.worker());
            received[taken.worker()]++;
            log.update(state.step() + 1, taken.worker(), received[taken.worker()]);
            long age = since == null ? 0 : state.step() - since;
            var staleness = new Staleness(1, age, age, lost, 0);
            lost = 0;
            meeting.finished(state.step() + 1);
            return Optional.of(new Made(
                    taken.loss(),
                    taken.examples(),
                    order.after(cursor, batch),
                    staleness,
                    taken.score(),
                    Arrays.stream(received).mapToObj(OwnPaceSteps::asPlace).toList()));
        } catch (BrokenGroupException broken) {
            together = false;
            given.clear();
            meeting.leaves(generation);
            return Optional.empty();
        }
    }

    @Override
    public Made make(Cursor cursor, Update update, Runnable beforeUpdate) {
        throw new UnsupportedOperationException("a step may go back: use tryMake");
    }

    private static Cursor asPlace(long count) {
        return new Cursor(count, 0);
    }

    private void meet(Runnable beforeUpdate) throws TeamLostException {
        Optional<Place> place = meeting.await(state.step(), true);
        if (place.isEmpty()) {
            throw new TeamLostException("the training was ended");
        }
        generation = place.get().generation().number();
        try {
            Line line = Line.read(job);
            beforeUpdate.run(); // no capture may read what is overwritten now
            long step = line.of(JobRecords.SERVER).step();
            log.back(step, ProcessRecords.newest(job.resolve(JobRecords.SERVER)));
            state.goBack(step);
            server.counted(step);
            received = counts(place.get().generation().workers());
            for (int worker = 0; worker < received.length; worker++) {
                long sent = line.of(JobRecords.worker(worker)).pushes();
                lost += Math.max(0, sent - received[worker]);
                received[worker] = sent; // what was on its way is lost
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.begin(place.get().generation(), place.get().servers());
        together = true;
    }

    private long[] counts(int workers) {
        List<Cursor> saved = new ArrayList<>(state.received());
        long[] counts = new long[workers];
        for (int worker = 0; worker < Math.min(workers, saved.size()); worker++) {
            counts[worker] = saved.get(worker).epoch();
        }
        return counts;
    }

    private void give(int worker) {
        long number = received[worker] + 1;
        given.put(worker, state.step());
        server.give(worker, new Task(number, 0, 0, number % scoreEvery == 0));
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
