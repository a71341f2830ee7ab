package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.ColdLoops;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.VectorModule;
import dev.cairn.codec.VectorWarmUp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Real encoders, with real work, while their loops are warmed up: all trials run, and no frame tells which code wrote
/// it.
class WarmLoopsTest {
    private static final int ELEMENTS = 1 << 16;
    private static final int BLOCKS = 40;

    @Test
    void framesAreTheSameBeforeAndAfter() throws Exception {
        assumeTrue(VectorModule.isPresent(), "needs the vector module");
        // Of all encoders the one whose loops are compiled soonest; on a busy machine that may be too late for this
        // test.
        Supplier<BlockEncoder> encoder = () -> new ExactEncoder(ElementType.FLOAT32, ExactEncoder.Basis.ALONE);
        try (var _ = new ColdLoops()) {
            List<Integer> cold = frames(encoder.get());
            boolean hot = VectorWarmUp.await(Duration.ofSeconds(20));
            assertThat(frames(encoder.get())).as("hot: %s", hot).isEqualTo(cold);

        } finally {
            VectorWarmUp.stop();
        }
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
