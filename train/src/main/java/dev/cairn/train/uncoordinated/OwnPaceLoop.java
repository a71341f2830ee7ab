package dev.cairn.train.uncoordinated;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.server.GradientWorker;
import dev.cairn.engine.server.Task;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.UnfitAttributesException;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.steps.Meeting;
import dev.cairn.train.steps.Meeting.Place;
import dev.cairn.train.steps.Meeting.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A training as one worker sees it that saves for itself: the weights that it got last, and its place in its shard of
/// the data. Its run is below the folder of the job. Its steps are its messages: each time it gets weights, and each
/// time it sends a gradient.
public final class OwnPaceLoop implements AutoCloseable {
    private final GradientWorker worker;
    private final Meeting meeting;
    private final Function<Place, Prefetch> loader;
    private final Supplier<Score> scores;
    private final Clock clock;
    private final Path job;
    private final CheckpointOptions options;
    private @Nullable Own own;

    /// @param scores scores the test split with the weights that the worker has
    /// @param job the folder of the job
    /// @param options how the worker saves
    public OwnPaceLoop(
            GradientWorker worker,
            Meeting meeting,
            Function<Place, Prefetch> loader,
            Supplier<Score> scores,
            Clock clock,
            Path job,
            CheckpointOptions options) {
        this.worker = worker;
        this.meeting = meeting;
        this.loader = loader;
        this.scores = scores;
        this.clock = clock;
        this.job = job;
        this.options = options;
        meeting.onBroken(worker::abandon);
    }

    /// Works until the training has ended.
    public void run() throws IOException {
        Optional<Place> place = meeting.await(0, false);
        while (place.isPresent()) {
            Own mine = own(place.get());
            try {
                mine.workIn(place.get());
            } catch (BrokenGroupException broken) {
                mine.rest();
                meeting.leaves(place.get().generation().number());
            }
            place = meeting.await(0, false);
        }
    }

    private Own own(Place place) throws IOException {
        Own now = own;
        if (now == null || now.rank != place.rank()) {
            close();
            now = new Own(place);
            own = now;
        }
        now.goBack(Line.read(job).of(JobRecords.worker(place.rank())).step());
        return now;
    }

    @Override
    public void close() throws IOException {
        if (own != null) {
            own.close();
            own = null;
        }
    }

    /// The run of a worker of one rank.
    private final class Own implements TrainingState, AutoCloseable {
        private static final String PULLS = "pulls";
        private static final String PUSHES = "pushes";
        private static final String EPOCH = "epoch";
        private static final String POSITION = "position";

        private final int rank;
        private final Path folder;
        private final Checkpoints checkpoints;
        private final MessageLog log;
        private final Prefetch examples;
        private long pulls;
        private long pushes;
        private Cursor cursor = Cursor.START;

        Own(Place place) throws IOException {
            this.rank = place.rank();
            this.folder = job.resolve(JobRecords.worker(rank));
            this.log = MessageLog.in(folder);
            this.checkpoints = Checkpoints.open(folder, options);
            this.examples = loader.apply(place);
        }

        private long step() {
            return pulls + pushes;
        }

        /// Whether it has weights whose gradient is not sent yet.
        private boolean owesOne() {
            return pulls > pushes;
        }

        void goBack(long step) throws IOException {
            checkpoints.beforeUpdate();
            log.back(step, ProcessRecords.newest(folder));
            if (step == 0) {
                if (checkpoints.count() > 0) {
                    checkpoints.startFresh();
                }
                pulls = 0;
                pushes = 0;
                cursor = Cursor.START;
            } else if (checkpoints
                    .rollBack(step, 1, this)
                    .filter(found -> found.step() == step)
                    .isEmpty()) {
                throw new IOException(
                        "%s has no checkpoint of step %d any more, from which all must go on".formatted(folder, step));
            }
        }

        void workIn(Place place) throws IOException {
            worker.join(place.servers(), place.generation(), rank);
            while (true) {
                long began = clock.nanos();
                checkpoints.beforeUpdate(); // no capture may read what is overwritten now
                Task task = owesOne() ? worker.nextTask() : worker.next();
                long told = clock.nanos();
                if (!owesOne()) {
                    log.pull(++pulls, worker.updates());
                    if (checkpoints.isSaveDue(pulls)) {
                        checkpoints.afterStep(step(), this, true);
                    }
                }
                meeting.finished(worker.updates());
                Batch batch = examples.at(cursor);
                long loaded = clock.nanos();
                double loss = worker.compute(task, batch);
                Score score = task.scores() ? scores.get() : Score.NONE;
                long computed = clock.nanos();
                log.push(pushes + 1);
                worker.answer(score);
                pushes++;
                cursor = examples.after(cursor);
                long end = clock.nanos();
                meeting.worked(new Work(
                        batch.size(),
                        loss,
                        Duration.ofNanos(told - began + end - computed),
                        Duration.ofNanos(loaded - told),
                        Duration.ofNanos(end - began),
                        score));
            }
        }

        /// Waits until nothing is being saved any more.
        void rest() throws IOException {
            worker.traffic().ifPresent(meeting::exchanged);
            checkpoints.beforeUpdate();
            checkpoints.awaitSave();
        }

        @Override
        public List<LiveTensor> tensors() {
            return worker.tensors();
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty()
                    .with(PULLS, pulls)
                    .with(PUSHES, pushes)
                    .with(EPOCH, cursor.epoch())
                    .with(POSITION, cursor.position());
        }

        @Override
        public void restored(long step, Attributes attributes) {
            worker.tensorsRestored();
            pulls = required(attributes, PULLS);
            pushes = required(attributes, PUSHES);
            cursor = new Cursor(required(attributes, EPOCH), (int) required(attributes, POSITION));
        }

        private static long required(Attributes attributes, String name) {
            return attributes
                    .integer(name)
                    .orElseThrow(() -> new UnfitAttributesException("attribute %s is missing".formatted(name)));
        }

        /// Saves the end of the training.
        @Override
        public void close() throws IOException {
            try (log;
                    checkpoints;
                    examples) {
                if (step() > 0) {
                    checkpoints.beforeUpdate();
                    checkpoints.saveNow(step(), this);
                }
            }
        }
    }
}
