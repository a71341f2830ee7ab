package dev.cairn.train.steps;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.Generation;
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
    private final GradientWorker worker;
    private final Meeting meeting;
    private final Function<Share, Prefetch> loader;
    private final Supplier<Score> scores;
    private final Clock clock;
    private @Nullable Prefetch batches;
    private Share loaded = Share.ALL;
    private long finished;

    /// @param loader loads this worker's share of each batch
    /// @param scores scores the test split with the weights of the present task
    public WorkerLoop(
            GradientWorker worker,
            Meeting meeting,
            Function<Share, Prefetch> loader,
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
                meeting.leaves(place.get().generation().number());
            }
            place = meeting.await(finished, false);
        }
    }

    private void workIn(Place place) {
        worker.join(place.server(), place.generation(), place.rank());
        Generation generation = place.generation();
        Prefetch shares =
                batches(generation.waitsForNone() ? Share.ALL : new Share(place.rank(), generation.workers()));
        while (true) {
            long began = clock.nanos();
            Task task = worker.next();
            long told = clock.nanos();
            finished = task.step() - 1;
            meeting.finished(finished);
            Batch share = shares.at(new Cursor(task.epoch(), (int) task.position()));
            long loaded = clock.nanos();
            double loss = worker.compute(task, share);
            long computed = clock.nanos();
            worker.answer(task.scores() ? scores.get() : Score.NONE);
            long end = clock.nanos();
            meeting.worked(
                    share.size(),
                    loss,
                    Duration.ofNanos(told - began + end - computed),
                    Duration.ofNanos(loaded - told),
                    Duration.ofNanos(end - began));
        }
    }

    private Prefetch batches(Share share) {
        Prefetch now = batches;
        if (now == null || !loaded.equals(share)) {
            close();
            loaded = share;
            now = loader.apply(share);
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
