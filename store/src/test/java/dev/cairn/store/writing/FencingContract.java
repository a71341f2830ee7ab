package dev.cairn.store.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.Frame;
import dev.cairn.codec.parity.ParityLayout;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.HookedBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.Guard;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.log.LogRecord;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.log.RecordAppender.Draft;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.CheckpointStoreTest;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The log protects a run without any lease: a writer that was taken over without knowing it can commit nothing more,
/// and does no harm to the next writer, wherever it was stopped.
public abstract class FencingContract {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private BlobStore blobs;
    private CheckpointStore store;

    /// Empty storage, a new one each time.
    protected abstract BlobStore empty() throws IOException;

    /// Every how many operations one is tried; more than one if each is expensive.
    protected abstract int stride();

    @BeforeEach
    void begin() throws IOException {
        blobs = empty();
        store = new CheckpointStore(blobs);
    }

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    /// A right that never reports that it is lost.
    private static Guard takingOver(String by) {
        return new Guard() {
            @Override
            public void check() {}

            @Override
            public Optional<TakeOver> takeOver() {
                return Optional.of(new TakeOver(Samples.TIME, "process 1 on a", by));
            }
        };
    }

    private static Commit commit(CheckpointWriter writer, long step, @Nullable Commit parent) throws IOException {
        var description = new Description(
                step, Samples.TIME, parent == null ? null : Parent.of(parent), "full", Samples.attributes(step));
        return Samples.commit(writer, description, Samples.tensors(step));
    }

    @Test
    void theOneBeforeCollidesStopsAndLearnsByWhom() throws IOException {
        CheckpointWriter stale = CheckpointWriter.open(store, () -> {});
        commit(stale, 1, null);
        CheckpointWriter next = CheckpointWriter.open(store, takingOver("process 2 on b"));
        assertThat(new CommitLog(blobs).read(2))
                .isEqualTo(new TakenOver(2, Samples.TIME, "process 1 on a", "process 2 on b"));
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> commit(stale, 2, null))
                    .isInstanceOf(CommitConflictException.class)
                    .hasMessageContaining("taken over by process 2 on b");
        }
        assertThatThrownBy(stale::failIfOvertaken).isInstanceOf(CommitConflictException.class);
        assertThatThrownBy(() -> stale.commitFreshStart(Samples.TIME)).isInstanceOf(CommitConflictException.class);
        commit(next, 3, null);
        assertThat(steps()).containsExactly(1L, 3L);
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void aCommitThatIsFasterThanTheTakeOverStandsAndIsTheLast() throws IOException {
        CheckpointWriter stale = CheckpointWriter.open(store, () -> {});
        commit(stale, 1, null);
        // Before each record that the new writer creates, the old one makes another commit, twice.
        int[] faster = {0};
        Guard right = new Guard() {
            @Override
            public void check() throws IOException {
                if (++faster[0] <= 2) {
                    commit(stale, 1 + faster[0], null);
                }
            }

            @Override
            public Optional<TakeOver> takeOver() {
                return Optional.of(new TakeOver(Samples.TIME, "a", "b"));
            }
        };
        CheckpointWriter next = CheckpointWriter.open(store, right);
        assertThatThrownBy(() -> commit(stale, 9, null)).isInstanceOf(CommitConflictException.class);
        commit(next, 10, null);
        assertThat(steps()).containsExactly(1L, 2L, 3L, 10L);
    }

    @Test
    void oneWhoWasItselfTakenOverBeforeItBeganChangesNothing() throws IOException {
        commit(CheckpointWriter.open(store, () -> {}), 1, null);
        CheckpointWriter.open(store, takingOver("process 3 on c"));
        var before = Set.copyOf(blobs.listAll());
        Guard lost = new Guard() {
            @Override
            public void check() throws IOException {
                throw CommitConflictException.takenOver("process 3 on c");
            }

            @Override
            public Optional<TakeOver> takeOver() {
                return Optional.of(new TakeOver(Samples.TIME, "a", "process 2 on b"));
            }
        };
        assertThatThrownBy(() -> CheckpointWriter.open(store, lost)).isInstanceOf(CommitConflictException.class);
        assertThat(Set.copyOf(blobs.listAll())).isEqualTo(before);
    }

    enum Successor {
        /// Keeps all checkpoints and the record of the takeover.
        KEEPS,
        /// Prunes what it can, including the record of the takeover.
        PRUNES,
        /// Prunes twice, and starts over.
        STARTS_OVER
    }

    /// The first writer is stopped before each of its operations in turn. Then the next one takes over, works, and
    /// is in the middle of a save when the first continues.
    @ParameterizedTest
    @EnumSource(Successor.class)
    void aWriterStoppedAnywhereHarmsNothingOfTheNext(Successor successor) throws Exception {
        int stopAt = 1;
        while (new Scene(successor, stopAt, empty()).plays()) {
            stopAt += stride();
        }
        assertThat(stopAt).as("operations at which it was stopped").isGreaterThan(100);
    }

    /// Two writers of one run.
    private final class Scene {
        private final String context;
        private final Successor successor;
        private final CheckpointStore good;
        private final HookedBlobStore hooked;
        private final List<Long> promised = new ArrayList<>();
        private final CountDownLatch inTheMiddle = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private @Nullable Future<Long> next;
        private boolean stopped;
        private boolean open;

        Scene(Successor successor, int stopAt, BlobStore blobs) {
            this.context = "%s, stopped at %d".formatted(successor, stopAt);
            this.successor = successor;
            this.hooked = new HookedBlobStore(blobs, stopAt, this::takeOver);
            this.good = new CheckpointStore(blobs);
        }

        private void takeOver() throws IOException {
            next = thread.submit(this::succeed);
            try {
                if (!inTheMiddle.await(10, TimeUnit.SECONDS)) {
                    next.get(1, TimeUnit.SECONDS);
                }
            } catch (Exception e) {
                throw new AssertionError(context, e);
            }
        }

        private long succeed() throws IOException {
            CheckpointWriter writer = CheckpointWriter.open(good, takingOver("next"));
            Commit base = commit(writer, 100, null);
            Commit second = commit(writer, 101, base);
            Commit third = commit(writer, 102, second);
            switch (successor) {
                case KEEPS -> new Merger(good, writer).merge(third);
                case PRUNES -> writer.prune(Set.of(third.number()), Samples.TIME);
                case STARTS_OVER -> {
                    writer.prune(Set.of(third.number()), Samples.TIME);
                    writer.commitFreshStart(Samples.TIME);
                    commit(writer, 103, null);
                    commit(writer, 104, null);
                    writer.prune(Set.of(), Samples.TIME);
                }
            }
            var tensors = new ArrayList<TensorSource>(Samples.tensors(110));
            tensors.set(0, new Slow(tensors.get(0)));
            return Samples.commit(writer, Samples.description(110), tensors).step();
        }

        /// A tensor in the middle of which the writer is when the first one continues.
        private final class Slow implements TensorSource {
            private final TensorSource tensor;

            Slow(TensorSource tensor) {
                this.tensor = tensor;
            }

            @Override
            public TensorSpec spec() {
                return tensor.spec();
            }

            @Override
            public String codec() {
                return tensor.codec();
            }

            @Override
            public void encode(long block, int lane, Frame frame) throws IOException {
                inTheMiddle.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                tensor.encode(block, lane, frame);
            }
        }

        /// Whether the first writer was stopped at all.
        boolean plays() throws Exception {
            firstWriter();
            if (next == null) {
                return false;
            }
            goOn.countDown();
            assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo(110);
            var expected = new ArrayList<Long>();
            switch (successor) {
                case KEEPS -> {
                    expected.addAll(promised);
                    expected.addAll(List.of(100L, 101L, 102L));
                }
                case PRUNES -> expected.addAll(List.of(100L, 101L, 102L));
                case STARTS_OVER -> expected.add(104L);
            }
            check(expected);
            CheckpointWriter.open(good, () -> {});
            check(expected);
            assertThat(good.leftovers()).as(context).isEmpty();
            return true;
        }

        private void check(List<Long> expected) throws IOException {
            List<Commit> found = CheckpointStoreTest.checkpoints(good);
            assertThat(found).extracting(Commit::step).as(context).containsAll(expected);
            assertThat(found.getLast().step()).as(context).isEqualTo(110);
            for (Commit checkpoint : found) {
                assertThat(Samples.matches(good, checkpoint)).as(context).isTrue();
            }
            assertThat(good.currentEntries()).as(context).allMatch(Entry.Intact.class::isInstance);
            var report = StoreVerifier.verify(good, StoreVerifier.Depth.FULL, c -> {});
            assertThat(report.damaged()).as(context).isEmpty();
            assertThat(report.foreign()).as(context).isEmpty();
        }

        /// Does all that a writer does, and continues after storage errors.
        private void firstWriter() throws IOException {
            var first = new CheckpointStore(hooked);
            CheckpointWriter writer;
            try {
                writer = CheckpointWriter.open(first, this::checkUntilOpen);
                open = true;
            } catch (CommitConflictException overtaken) {
                return;
            }
            var made = new ArrayList<Commit>();
            for (long step = 1; step <= 4; step++) {
                long now = step;
                attempt(() -> {
                    made.add(commit(writer, now, made.isEmpty() ? null : made.getLast()));
                    promised.add(now);
                });
            }
            attempt(() -> {
                if (!made.isEmpty()) {
                    new Merger(first, writer).merge(made.getLast());
                }
            });
            attempt(() -> writer.prune(Set.of(1L, 2L, 3L, 4L, 5L, 100L), Samples.TIME));
            attempt(() -> {
                commit(writer, 5, null);
                promised.add(5L);
            });
            attempt(() -> writer.prune(keptByTheFirst(first), Samples.TIME));
            if (next != null) {
                assertThatThrownBy(() -> commit(writer, 9, null))
                        .as(context)
                        .isInstanceOf(CommitConflictException.class);
                assertThatThrownBy(() -> writer.commitFreshStart(Samples.TIME))
                        .as(context)
                        .isInstanceOf(CommitConflictException.class);
                writer.removeNeedless();
            }
        }

        /// The right protects the start of a writer. After that it has no effect in this test.
        private void checkUntilOpen() throws IOException {
            if (!open && next != null) {
                throw CommitConflictException.takenOver("next");
            }
        }

        /// All but the second checkpoint, which nothing needs after the merge.
        private Set<Long> keptByTheFirst(CheckpointStore first) throws IOException {
            promised.remove(2L);
            var kept = new HashSet<Long>();
            for (Entry entry : first.currentEntries()) {
                if (entry instanceof Entry.Intact(Commit checkpoint) && checkpoint.step() != 2) {
                    kept.add(checkpoint.number());
                }
            }
            return kept;
        }

        private void attempt(HookedBlobStore.Hook action) {
            if (stopped) {
                return;
            }
            try {
                action.run();
            } catch (CommitConflictException overtaken) {
                assertThat(next).as(context).isNotNull();
                stopped = true;
            } catch (IOException failed) {
                assertThat(next).as("%s: %s", context, failed).isNotNull();
            }
        }
    }

    /// A writer was stopped right before creating its record, and the record of the takeover was pruned in the
    /// meantime: its record appears where it has no effect.
    @Test
    void aRecordBelowAPruningThatDoesNotKeepItChangesNothing() throws IOException {
        CheckpointWriter first = CheckpointWriter.open(store, () -> {});
        commit(first, 1, null);
        Commit old = commit(first, 2, null);
        CheckpointWriter next = CheckpointWriter.open(store, takingOver("next"));
        commit(next, 3, null);
        commit(next, 4, null);
        next.prune(Set.of(1L, 2L), Samples.TIME);
        assertThat(blobs.listAll()).doesNotContain("log/0000000003.rec");
        var log = new CommitLog(blobs);
        for (Draft stray : List.of(
                new Draft.Plain(new Pruned(3, Samples.TIME, 0, List.of(1L))),
                new Draft.Plain(new FreshStart(3, Samples.TIME)),
                new Draft.Plain(new TakenOver(3, Samples.TIME, "x", "y")),
                new Draft.OfCheckpoint(new Manifest(
                        old.stored(
                                3,
                                null,
                                2,
                                List.of(new SegmentRef(
                                        "segments/0000000003-x-00000000000000ab.seg",
                                        0xab,
                                        new ParityLayout(1, 512, 9),
                                        1,
                                        ""))),
                        List.of())))) {
            switch (stray) {
                case Draft.Plain(LogRecord entry) -> log.append(entry);
                case Draft.OfCheckpoint(Manifest manifest) -> log.append(manifest);
            }
            assertThat(steps()).as(stray.toString()).containsExactly(1L, 2L, 4L);
            assertThatThrownBy(() -> log.checkHighest(3)).isInstanceOf(CommitConflictException.class);
            CheckpointWriter.open(store, () -> {});
            assertThat(blobs.listAll()).doesNotContain("log/0000000003.rec");
        }
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .ok())
                .isTrue();
    }

    private List<Long> steps() throws IOException {
        return CheckpointStoreTest.checkpoints(store).stream().map(Commit::step).toList();
    }
}
