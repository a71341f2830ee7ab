package dev.cairn.checkpoint.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Damage;
import dev.cairn.store.ManualClock;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.blob.ReadHookBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.FileCheck;
import dev.cairn.store.scrub.ScrubReport;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which file is checked when, and what is told, with a clock that the test moves.
class ScrubWorkTest {
    private static final Duration PERIOD = Duration.ofHours(24);

    private final ManualClock time = new ManualClock();
    private final MemoryBlobStore blobs = new MemoryBlobStore();
    private final List<CheckpointEvent> events = new ArrayList<>();
    /// The files whose contents were read, in order; records as one.
    private final List<String> read = new ArrayList<>();

    private boolean failing;
    private String failingFile = "";
    private final BlobStore watched = new ReadHookBlobStore(blobs, (name, offset) -> {
        if (offset >= 0 && name.startsWith(RunFiles.SEGMENTS) && !read.contains(name)) {
            read.add(name);
        }
        if (failing && name.equals(failingFile)) {
            throw new IOException("Input/output error");
        }
    });
    private final CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(blobs), () -> {});

    ScrubWorkTest() throws IOException {}

    /// Saves a checkpoint that needs no other one.
    private Commit save(long step) throws IOException {
        byte[] values = new byte[20_000];
        new Random(step).nextBytes(values);
        var spec = new TensorSpec("w", ElementType.UINT8, List.of((long) values.length), Role.WEIGHT);
        return Samples.commit(
                writer,
                new Description(step, time.now(), null, "full", Attributes.empty()),
                List.of(new Samples.Tensor(spec, MemorySegment.ofArray(values))));
    }

    private static String file(Commit checkpoint) {
        return checkpoint.segmentNames().getFirst();
    }

    private ScrubWork work() throws IOException {
        var store = new CheckpointStore(watched);
        CheckpointWriter own = CheckpointWriter.open(store, () -> {});
        var settings = new Scrubbing.Every(PERIOD, 1_000_000);
        var check = new FileCheck(store, own, _ -> {});
        return new ScrubWork(store, check, settings, time, new Doubts(new Lineage(), own), events::add);
    }

    /// Does all that is due now.
    ///
    /// @return how long nothing is due
    private Duration runOut(ScrubWork work) throws IOException {
        read.clear();
        for (int i = 0; i < 100; i++) {
            Duration free = work.next();
            if (!free.isZero()) {
                return free;
            }
        }
        throw new AssertionError("always something to do");
    }

    private void damage(Commit checkpoint) {
        byte[] bytes = Objects.requireNonNull(blobs.blobs.get(file(checkpoint))).clone();
        bytes[3000] ^= 16;
        blobs.blobs.put(file(checkpoint), bytes);
    }

    private void ruin(Commit checkpoint) {
        blobs.blobs.computeIfPresent(file(checkpoint), (_, bytes) -> Damage.inTheMiddle(bytes));
    }

    @Test
    void aFileIsCheckedOnceInAPeriodAndTheOldestFirst() throws IOException {
        Commit first = save(1);
        time.advance(Duration.ofHours(5));
        Commit second = save(2);
        ScrubWork work = work();
        assertThat(runOut(work)).isEqualTo(Duration.ofHours(19));
        assertThat(read).isEmpty();
        time.advance(Duration.ofHours(19));
        assertThat(runOut(work)).isEqualTo(Duration.ofHours(5));
        assertThat(read).containsExactly(file(first));
        time.advance(Duration.ofHours(30));
        assertThat(runOut(work)).isEqualTo(PERIOD);
        assertThat(read).containsExactly(file(second), file(first));
        assertThat(runOut(work)).isEqualTo(PERIOD);
        assertThat(read).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void theNextStartContinuesWhereThisOneEnded() throws IOException {
        List<Commit> saved = List.of(save(1), save(2), save(3));
        time.advance(PERIOD);
        ScrubWork work = work();
        assertThat(work.next()).isZero();
        assertThat(work.next()).isZero();
        List<String> before = List.copyOf(read);
        work.end();
        runOut(work());
        assertThat(Stream.concat(before.stream(), read.stream()))
                .containsExactlyInAnyOrderElementsOf(
                        saved.stream().map(ScrubWorkTest::file).toList());
        assertThat(runOut(work())).isEqualTo(PERIOD);
    }

    @Test
    void damageHealsAndIsTold() throws IOException {
        Commit old = save(1);
        byte[] original = Objects.requireNonNull(blobs.blobs.get(file(old))).clone();
        save(2);
        damage(old);
        time.advance(PERIOD);
        runOut(work());
        assertThat(blobs.blobs.get(file(old))).isEqualTo(original);
        assertThat(events).singleElement().isInstanceOfSatisfying(CheckpointEvent.Rewritten.class, rewritten -> {
            assertThat(rewritten.damage().file()).isEqualTo(file(old));
            assertThat(rewritten.text()).isEqualTo("rewritten: " + file(old) + " from its parity, whole again");
        });
        assertThat(report().rewritten()).isEqualTo(1);
        assertThat(report().checked()).isEqualTo(report().files()).isEqualTo(3);
    }

    private ScrubReport report() throws IOException {
        var store = new CheckpointStore(blobs);
        return ScrubReport.of(store, store.history());
    }

    @Test
    void whatDoesNotHealIsToldOnce() throws IOException {
        Commit lost = save(1);
        save(2);
        ruin(lost);
        for (int round = 0; round < 3; round++) {
            time.advance(PERIOD);
            runOut(work());
            assertThat(read).as("it is looked at again").contains(file(lost));
        }
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        CheckpointEvent.DamageFound.class,
                        found -> assertThat(found.damage().file()).isEqualTo(file(lost)));
        assertThat(report().damaged()).containsOnlyKeys(file(lost));
        assertThat(report().rewritten()).isZero();
    }

    @Test
    void soAreDamagedRecords() throws IOException {
        save(1);
        Commit lost = save(2);
        save(3);
        String record = RunFiles.record(lost.number());
        byte[] intact = Objects.requireNonNull(blobs.blobs.get(record));
        byte[] damaged = intact.clone();
        damaged[40] ^= 1;
        blobs.blobs.put(record, damaged);
        blobs.blobs.remove(RunFiles.twin(lost.number()));
        for (int round = 0; round < 3; round++) {
            time.advance(PERIOD);
            runOut(work());
        }
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        CheckpointEvent.DamageFound.class,
                        found -> assertThat(found.damage().file()).isEqualTo(record));
        assertThat(report().damaged()).containsOnlyKeys(record);
        blobs.blobs.put(record, intact);
        time.advance(PERIOD);
        runOut(work());
        assertThat(report().damaged()).isEmpty();
    }

    @Test
    void aReadErrorIsNotDamageAndIsTriedAgain() throws IOException {
        Commit first = save(1);
        Commit second = save(2);
        time.advance(PERIOD);
        failing = true;
        failingFile = file(first);
        ScrubWork work = work();
        assertThat(runOut(work)).isLessThan(PERIOD);
        runOut(work);
        assertThat(events).singleElement().isInstanceOf(CheckpointEvent.ScrubFailed.class);
        assertThat(report().damaged()).isEmpty();
        assertThat(report().checked()).as("the others").isEqualTo(2);
        failing = false;
        time.advance(PERIOD.dividedBy(2));
        runOut(work);
        assertThat(read).containsExactly(file(first)).doesNotContain(file(second));
        assertThat(events).hasSize(1);
    }

    @Test
    void aFileThatIsRemovedIsForgotten() throws IOException {
        Commit first = save(1);
        Commit second = save(2);
        ScrubWork work = work();
        time.advance(PERIOD);
        assertThat(work.next()).isZero();
        writer.keepOnly(0, List.of(second.number()), time.now());
        writer.removeNeedless();
        assertThat(blobs.blobs).doesNotContainKey(file(first));
        runOut(work);
        assertThat(events).isEmpty();
        assertThat(report().files()).isEqualTo(2);
        time.advance(PERIOD);
        runOut(work);
        assertThat(read).containsExactly(file(second));
    }

    @Test
    void aSuspectedFileIsCheckedBeforeItIsDue() throws IOException {
        Commit first = save(1);
        damage(first);
        ScrubWork work = work();
        work.suspect(file(first));
        work.suspect("segments/of-another-run");
        assertThat(events).singleElement().isInstanceOf(CheckpointEvent.Rewritten.class);
    }

    @Test
    void aClockThatGoesBackwardsDelaysNothing() throws IOException {
        Commit first = save(1);
        time.advance(Duration.ofDays(1000));
        ScrubWork work = work();
        runOut(work);
        time.setTimeOfDay(Samples.TIME);
        work.end();
        assertThat(runOut(work())).isEqualTo(PERIOD);
        time.setTimeOfDay(Samples.TIME.minus(Duration.ofDays(3)));
        runOut(work());
        assertThat(read).containsExactly(file(first));
    }
}
