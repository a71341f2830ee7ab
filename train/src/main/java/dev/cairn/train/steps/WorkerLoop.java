package dev.cairn.train.steps;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.GradientWorker;
import dev.cairn.engine.server.Task;
import dev.cairn.store.Clock;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.batch.Share;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.team.TeamLostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The training as one of its workers sees it: it computes the gradients that the server asks for, until the
/// training has ended. It has no state of its own.
public final class WorkerLoop implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final GradientWorker worker;
    private final Meeting meeting;
    private final Function<Place, Prefetch> loader;
    private final Supplier<Score> scores;
    private final Clock clock;
    private @Nullable Prefetch batches;
    private Share loaded = Share.ALL;
    private long finished;
    private long lookedNanos;

    /// @param loader loads this worker's examples, for its place
    /// @param scores scores the test split with the weights of the present task
    public WorkerLoop(
            GradientWorker worker,
            Meeting meeting,
            Function<Place, Prefetch> loader,
            Supplier<Score> scores,
            Clock clock) {
        this.worker = worker;
        this.meeting = meeting;
        this.loader = loader;
        this.scores = scores;
        this.clock = clock;
        meeting.onBroken(worker::abandon);
    }

    /// Works until the training has ended.
    public void run() throws TeamLostException {
        Optional<Place> place = meeting.await(finished, false);
        while (place.isPresent()) {
            try {
                workIn(place.get());
            } catch (BrokenGroupException broken) {
                worker.traffic().ifPresent(meeting::exchanged);
                meeting.leaves(place.get().generation().number());
            }
            place = meeting.await(finished, false);
        }
    }

    private void workIn(Place place) {
        worker.join(place.servers(), place.generation(), place.rank());
        Prefetch shares = batches(place);
        long before = 0;
        while (true) {
            long began = clock.nanos();
            Task task = worker.next();
            long told = clock.nanos();
            if (before > 0 && place.generation().waitsForNone()) {
                // Its gradient made the last update: the next task is given at once.
                meeting.aged(task.step() - 1 - before);
            }
            before = task.step();
            finished = task.step() - 1;
            meeting.finished(finished);
            Batch share = shares.at(new Cursor(task.epoch(), (int) task.position()));
            long loaded = clock.nanos();
            double loss = worker.compute(task, share);
            Score score = task.scores() ? scores.get() : Score.NONE;
            long scored = clock.nanos();
            worker.answer(score);
            long end = clock.nanos();
            meeting.worked(new Meeting.Work(
                    share.size(),
                    loss,
                    Duration.ofNanos(told - began + end - scored),
                    Duration.ofNanos(loaded - told),
                    Duration.ofNanos(end - began),
                    score));
            look(end);
        }
    }

    /// To look at the traffic takes some calls of the system for each connection.
    private void look(long nanos) {
        if (lookedNanos == 0 || nanos - lookedNanos >= LOOK.toNanos()) {
            lookedNanos = nanos;
            worker.traffic().ifPresent(meeting::exchanged);
        }
    }

    private Prefetch batches(Place place) {
        var share = new Share(place.rank(), place.generation().workers());
        Prefetch now = batches;
        if (now == null || !loaded.equals(share)) {
            close();
            loaded = share;
            now = loader.apply(place);
            batches = now;
        }
        return now;
    }

    @Override
    public void close() {
        if (batches != null) {
            batches.close();
            batches = null;
        }
    }
}
