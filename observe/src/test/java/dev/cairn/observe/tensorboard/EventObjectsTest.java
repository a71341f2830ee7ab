package dev.cairn.observe.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Curves in storage that cannot append.
class EventObjectsTest {
    private static final Instant TIME = Instant.parse("2026-11-19T12:00:00Z");
    private static final byte[] HEADER = Frame.of(Records.version(TIME));
    private static final Duration WEEK = Duration.ofDays(7);

    /// A store that is not a folder, like object storage. Some of its writes fail.
    private static final class Objects extends ForwardingBlobStore {
        private int refused;

        Objects(BlobStore below) {
            super(below);
        }

        @Override
        public void createIfAbsent(String name, byte[] content) throws IOException {
            if (refused > 0) {
                refused--;
                throw new IOException("injected");
            }
            super.createIfAbsent(name, content);
        }
    }

    @TempDir
    Path folder;

    @Test
    void severalObjectsAreOneCurve() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        EventObjects objects = EventObjects.next(store, "w0", false, "a.b", HEADER);
        objects.append(join(HEADER, loss(1)));
        objects.append(loss(2));
        store.refused = 1;
        assertThatThrownBy(() -> objects.append(loss(3))).hasMessage("injected");
        objects.append(join(loss(3), loss(4)));
        assertThat(store.list("tensorboard/w0/"))
                .containsExactlyInAnyOrder(
                        "tensorboard/w0/events.out.tfevents.0000000001.a_b.000001",
                        "tensorboard/w0/events.out.tfevents.0000000001.a_b.000002",
                        "tensorboard/w0/events.out.tfevents.0000000001.a_b.000003");
        assertThat(EventReader.of(folder.resolve("tensorboard/w0")).steps("train/loss"))
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aResumedRunGoesOnAndOneThatBeginsAnewHasItsOwn() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        train(store, Begin.NEW, 0, 900);
        train(store, Begin.RESUMED, 500, 1000);
        train(store, Begin.FRESH, 0, 300);
        train(store, Begin.RESUMED, 200, 400);
        EventReader first = EventReader.of(folder.resolve("tensorboard/w0"));
        assertThat(first.steps("train/loss"))
                .containsExactly(1L, 100L, 200L, 300L, 400L, 500L, 501L, 600L, 700L, 800L, 900L, 1000L);
        EventReader second = EventReader.of(folder.resolve("tensorboard/w0-2"));
        assertThat(second.steps("train/loss")).containsExactly(1L, 100L, 200L, 201L, 300L, 400L);
    }

    @Test
    void aTrainingOfAWeekMakesFewObjects() throws IOException {
        var store = new Objects(new LocalBlobStore(folder));
        EventObjects objects = EventObjects.next(store, "w0", false, "a", HEADER);
        Duration age = Duration.ZERO;
        int count = 0;
        while (age.compareTo(WEEK) < 0) {
            objects.append(count == 0 ? join(HEADER, loss(1)) : loss(count + 1));
            assertThat(objects.pause()).isLessThanOrEqualTo(longest(age));
            age = age.plus(objects.pause());
            count++;
        }
        assertThat(count).isBetween(100, 400);
    }

    private static Duration longest(Duration age) {
        Duration share = age.dividedBy(45);
        return share.compareTo(Duration.ofSeconds(31)) > 0 ? share : Duration.ofSeconds(31);
    }

    private static void train(BlobStore store, Begin begin, long from, long to) {
        var trouble = new ArrayList<IOException>();
        try (var log = new TensorBoardLog(
                new CurveFolder.InStorage(store), "w0", 100, Clock.system(), trouble::add, Duration.ofMinutes(5))) {
            log.watch(List::of);
            log.on(new TrainingEvent.Started(TIME, begin, from, to, 0, "accuracy", Double.NaN, Attributes.empty()));
            for (long step = from + 1; step <= to; step++) {
                log.on(new TrainingEvent.StepMade(TIME.plusSeconds(step), step, 0, 1.0 / step, 0.25, 64));
            }
        }
        assertThat(trouble).isEmpty();
    }

    private static byte[] loss(long step) {
        return Frame.of(Records.scalars(TIME, step, Map.of("train/loss", 1.0 / step)));
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = new byte[one.length + other.length];
        System.arraycopy(one, 0, both, 0, one.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
