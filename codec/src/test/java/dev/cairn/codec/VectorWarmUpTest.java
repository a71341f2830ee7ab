package dev.cairn.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.VectorLoop.Trial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VectorWarmUpTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int SLOW_CALLS = 40;
    private static final long LITTLE = 1 << 10;
    private static final long MUCH = 1 << 30;

    private final ColdLoops cold = new ColdLoops();
    private final AtomicInteger vectorCalls = new AtomicInteger();

    @BeforeEach
    void vectorsAreThere() {
        assumeTrue(VectorModule.isPresent(), "needs the vector module");
    }

    @AfterEach
    void stop() throws InterruptedException {
        cold.close();
        VectorWarmUp.stop();
        assertThat(VectorWarmUp.await(LONG)).isTrue();
    }

    private VectorLoop loop(Runnable vector, Runnable scalar) {
        return new VectorLoop("test", () -> true, () -> new Trial(vector, scalar));
    }

    /// Behaves like vector code: slow for a while, then fast.
    private void slowAtFirst() {
        if (vectorCalls.incrementAndGet() < SLOW_CALLS) {
            LockSupport.parkNanos(20 * PAUSE_NANOS);
        }
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    @Test
    void theTwinWorksUntilTheVectorCodeIsTheFasterOne() throws InterruptedException {
        var loop = loop(this::slowAtFirst, VectorWarmUpTest::pause);
        assertThat(loop.isHot(LITTLE)).isFalse();
        assertThat(vectorCalls).as("little work is not worth it").hasValue(0);
        assertThat(loop.isHot(MUCH)).isFalse();
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(vectorCalls).hasValueGreaterThanOrEqualTo(SLOW_CALLS);
        assertThat(loop.isHot(LITTLE)).isTrue();
    }

    /// The twin may still be interpreted; then even code of the JVM's first compiler is faster.
    @Test
    void codeThatIsFasterOnlyThanAColdTwinIsNotHot() throws InterruptedException {
        var loop = loop(this::slowAtFirst, () -> LockSupport.parkNanos(25 * PAUSE_NANOS));
        loop.isHot(MUCH);
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(vectorCalls).hasValueGreaterThanOrEqualTo(SLOW_CALLS);
        assertThat(loop.isHot(LITTLE)).isTrue();
    }

    @Test
    void whoKnowsOfWorkToComeBeginsEarly() throws InterruptedException {
        var loop = loop(() -> {}, VectorWarmUpTest::pause);
        VectorWarmUp.begin(List.of(loop));
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(loop.isHot(LITTLE)).isTrue();
    }

    @Test
    void readersDoNotWaitUnlessAWriterAskedBefore() throws InterruptedException {
        var readers = VectorLoop.ofBoth("test", () -> true, () -> {
            throw new AssertionError("no reader has a trial");
        });
        assertThat(readers.isHot(LITTLE)).isFalse();
        assertThat(readers.isHot(MUCH)).isTrue();
        var finish = new CountDownLatch(1);
        var shared = VectorLoop.ofBoth("test", () -> true, () -> {
            try {
                finish.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new Trial(() -> {}, VectorWarmUpTest::pause);
        });
        VectorWarmUp.begin(List.of(shared));
        assertThat(shared.isHot(MUCH)).as("while it is compiled").isFalse();
        finish.countDown();
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(shared.isHot(LITTLE)).isTrue();
    }

    @Test
    void stopsWhereNobodyWantsIt() throws InterruptedException {
        var running = new CountDownLatch(1);
        var loop = loop(
                () -> {
                    running.countDown();
                    pause();
                },
                () -> {});
        loop.isHot(MUCH);
        running.await();
        VectorWarmUp.stop();
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(loop.needsWarmUp()).as("can be started again").isTrue();
    }

    @Test
    void codeThatThisMachineLacksIsNeverRun() throws InterruptedException {
        var loop = new VectorLoop("test", () -> false, () -> {
            throw new AssertionError("touched");
        });
        loop.isHot(MUCH);
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(loop.isHot(MUCH)).isFalse();
        assertThat(loop.needsWarmUp()).isFalse();
    }

    @Test
    void codeThatFailsIsLeftToItsTwin() throws InterruptedException {
        var loop = loop(
                () -> {
                    throw new NoClassDefFoundError("made up");
                },
                () -> {});
        loop.isHot(MUCH);
        assertThat(VectorWarmUp.await(LONG)).isTrue();
        assertThat(loop.isHot(MUCH)).isFalse();
    }
}
