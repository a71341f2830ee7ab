package dev.cairn.checkpoint.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.ManualClock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.blob.DecoratorContract;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrottleTest {
    private static final long MEGABYTE = 1_000_000;

    @TempDir
    Path folder;

    private final ManualClock time = new ManualClock();
    private final Throttle throttle = new Throttle(MEGABYTE, time, nanos -> time.advance(Duration.ofNanos(nanos)));

    @Nested
    class Throttled extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return throttle.around(below);
        }
    }

    @Test
    void writesTakeAsLongAsTheLimitSays() throws IOException {
        write(throttle.around(blobs()), "a", 10 * MEGABYTE);
        assertThat(seconds()).isBetween(9.99, 10.01);
    }

    @Test
    void writersShareTheLimit() throws IOException {
        BlobStore limited = throttle.around(blobs());
        try (BlobWriter save = limited.write("save");
                BlobWriter merge = limited.write("merge")) {
            for (int i = 0; i < 10; i++) {
                save.append(bytes(MEGABYTE / 10));
                merge.append(bytes(MEGABYTE / 10));
            }
        }
        assertThat(seconds()).isBetween(1.99, 2.01);
    }

    @Test
    void idleTimeIsNotMadeUpFor() throws IOException {
        BlobStore limited = throttle.around(blobs());
        write(limited, "a", MEGABYTE);
        time.advance(Duration.ofSeconds(100));
        write(limited, "b", MEGABYTE);
        assertThat(seconds()).isBetween(101.99, 102.01);
    }

    @Test
    void recordsAreNotHeldUp() throws IOException {
        throttle.around(blobs()).createIfAbsent("record", new byte[2_000_000]);
        assertThat(seconds()).isZero();
    }

    @Test
    void aLiftedLimitHoldsNobodyUpAndLeavesNoDebt() throws IOException {
        BlobStore limited = throttle.around(blobs());
        throttle.lift();
        write(limited, "a", 10 * MEGABYTE);
        assertThat(seconds()).isZero();
        throttle.restore();
        write(limited, "b", MEGABYTE);
        assertThat(seconds()).isBetween(0.99, 1.01);
    }

    @Test
    void whoWaitsAlreadyGoesOnSoonAfterTheLimitIsLifted() throws IOException {
        var lifting = new Throttle[1];
        lifting[0] = new Throttle(1000, time, nanos -> {
            time.advance(Duration.ofNanos(nanos));
            lifting[0].lift();
        });
        write(lifting[0].around(blobs()), "a", MEGABYTE);
        assertThat(seconds()).isLessThan(0.1);
    }

    /// A system that holds writes back would otherwise write all of them at once in the end.
    @Test
    void whatIsWrittenReachesTheStorageEverySecond() throws IOException {
        var flushes = new int[1];
        BlobStore counting = counting(BlobStore.class, blobs(), flushes);
        write(throttle.around(counting), "a", 10 * MEGABYTE);
        assertThat(flushes[0]).isBetween(8, 10);
    }

    @Test
    void holdsUpSavesBesideTheTrainingButNotTheLastOne() throws IOException {
        var state = new CountingState("counts", 20_000);
        CheckpointOptions options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(new Codec.Full());
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve("slow"), options.withWriteLimit(400_000))) {
            state.makeStep();
            long start = System.nanoTime();
            checkpoints.afterStep(1, state);
            checkpoints.awaitSave();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(350));
        }
        try (Checkpoints checkpoints = Checkpoints.open(folder.resolve("last"), options.withWriteLimit(10))) {
            checkpoints.afterStep(1, state); // takes hours, until somebody waits for it
            checkpoints.saveNow(2, state);
            assertThat(checkpoints.statistics().committed()).isEqualTo(2);
        }
    }

    private static <T> T counting(Class<T> type, T target, int[] flushes) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    flushes[0] += method.getName().equals("flush") ? 1 : 0;
                    Object result = method.invoke(target, arguments);
                    return result instanceof BlobWriter writer ? counting(BlobWriter.class, writer, flushes) : result;
                }));
    }

    private double seconds() {
        return time.nanos() / 1e9;
    }

    private LocalBlobStore blobs() {
        return new LocalBlobStore(folder);
    }

    private static void write(BlobStore blobs, String name, long size) throws IOException {
        try (BlobWriter writer = blobs.write(name)) {
            writer.append(bytes(size));
            writer.finish();
        }
    }

    private static MemorySegment bytes(long size) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
    }
}
