package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.ColdLoops;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorModule;
import dev.cairn.codec.VectorWarmUp;
import dev.cairn.codec.lossless.PlaneCodec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A real encoder with real work: the work makes its loops hot, and no frame shows which code wrote it.
class WarmLoopsTest {
    private static final int ELEMENTS = 1 << 16;
    private static final int BLOCKS = 40;
    private static final Duration LONG = Duration.ofMinutes(4);

    @Test
    void framesAreTheSameBeforeAndAfter() throws Exception {
        assumeTrue(VectorModule.isPresent(), "needs the vector module");
        // The encoder whose loops are compiled first.
        Supplier<BlockEncoder> encoder = () -> new ExactEncoder(ElementType.FLOAT32, ExactEncoder.Basis.ALONE);
        List<VectorLoop> loops = PlaneCodec.encodingLoops();
        assumeTrue(
                areHot(loops), "needs vectors that are wide enough"); // tests run their code wherever it is supported
        try (var _ = new ColdLoops()) {
            assertThat(areHot(loops)).as("before there was work").isFalse();
            List<Integer> cold = frames(encoder.get());
            long end = System.nanoTime() + LONG.toNanos();
            // On a busy machine, a warm-up may give up; more work starts another.
            while (!areHot(loops) && System.nanoTime() < end) {
                assertThat(VectorWarmUp.await(LONG)).isTrue();
                assertThat(frames(encoder.get())).isEqualTo(cold);
            }
            assertThat(areHot(loops)).as("after enough work").isTrue();
            assertThat(frames(encoder.get())).isEqualTo(cold);
        } finally {
            VectorWarmUp.stop();
        }
    }

    private static boolean areHot(List<VectorLoop> loops) {
        return loops.stream().allMatch(loop -> loop.isHot(0));
    }

    private static List<Integer> frames(BlockEncoder encoder) throws Exception {
        var random = new Random(7);
        var frame = new Frame();
        var decoder = new BlockDecoder();
        var frames = new ArrayList<Integer>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment u = arena.allocate(4L * ELEMENTS);
            MemorySegment r = arena.allocate(4L * ELEMENTS);
            MemorySegment read = arena.allocate(4L * ELEMENTS);
            for (int i = 0; i < ELEMENTS; i++) {
                u.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) Math.abs(random.nextGaussian()));
            }
            for (int block = 0; block < BLOCKS; block++) {
                encoder.encode(u, r, frame);
                byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
                decoder.apply(bytes, 0, bytes.length, ElementType.FLOAT32, read);
                assertThat(read.mismatch(r)).as("block %d", block).isEqualTo(-1);
                frames.add(Crc32c.of(bytes));
                for (int i = block; i < ELEMENTS; i += 3) {
                    float before = u.getAtIndex(ValueLayout.JAVA_FLOAT, i);
                    u.setAtIndex(ValueLayout.JAVA_FLOAT, i, before * (1 + 0.003f * random.nextFloat()));
                }
            }
        }
        return frames;
    }
}
