package dev.cairn.codec.lossless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.VectorModule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DifferenceCodecTest {
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int[] COUNTS = {4096, 4097, 5000, 65_535, 65_536};
    private static final int WEIGHTS = 96;
    private static final int PLAIN = 255;

    /// How live values differ from their reference.
    enum Kind {
        /// Weights after a step that did not change all of them.
        WEIGHTS {
            @Override
            int live(Random random, int reference) {
                float moved = Float.intBitsToFloat(reference) + (float) random.nextGaussian() * 1e-3f;
                return random.nextInt(5) == 0 ? reference : Float.floatToRawIntBits(moved);
            }
        },
        /// Moments, which change by a share of their value.
        MOMENTS {
            @Override
            int live(Random random, int reference) {
                return Float.floatToRawIntBits(Float.intBitsToFloat(reference) * (1 + 0.01f * random.nextFloat()));
            }
        },
        /// The differences are powers of two: all strings of bits are zeros.
        POWERS {
            @Override
            int live(Random random, int reference) {
                return reference ^ (1 << random.nextInt(22));
            }
        },
        /// Random bits: the longest strings.
        ANY {
            @Override
            int live(Random random, int reference) {
                return random.nextInt();
            }
        },
        /// Only one element changed.
        ALMOST_NOTHING {
            @Override
            int live(Random random, int reference) {
                return random.nextInt(4096) == 0 ? reference + 1 : reference;
            }
        };

        abstract int live(Random random, int reference);

        Block block(int count, long seed) {
            var random = new Random(seed);
            MemorySegment u = Arena.ofAuto().allocate(4L * count, 1);
            MemorySegment r = Arena.ofAuto().allocate(4L * count, 1);
            for (int i = 0; i < count; i++) {
                int reference =
                        this == ANY ? random.nextInt() : Float.floatToRawIntBits((float) random.nextGaussian() * 0.03f);
                r.set(BITS, 4L * i, reference);
                u.set(BITS, 4L * i, live(random, reference));
            }
            return new Block(u, r, count);
        }
    }

    record Block(MemorySegment u, MemorySegment r, int count) {
        MemorySegment reader() {
            return Arena.ofAuto().allocate(r.byteSize(), 1).copyFrom(r);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void readsBackEveryBit(Kind kind) throws CorruptBlockException {
        var codec = new DifferenceCodec(null);
        for (int count : COUNTS) {
            Block block = kind.block(count, count);
            MemorySegment reader = block.reader();
            byte[] bytes = encode(codec, block);
            assertThat(block.r().mismatch(block.u()))
                    .as("the writer's reference")
                    .isEqualTo(-1);
            var in = new FrameReader(bytes, 0, bytes.length);
            codec.decode(in, reader, count);
            assertThat(reader.mismatch(block.u())).as("count=%d", count).isEqualTo(-1);
            assertThat(in.remaining()).isZero();
        }
    }

    @Test
    void weightsAreMeasuredAgainstTheirScaleAndMomentsAreNot() {
        var codec = new DifferenceCodec(null);
        assertThat(encode(codec, Kind.WEIGHTS.block(65_536, 1))[0] & 0xff).isEqualTo(WEIGHTS);
        assertThat(encode(codec, Kind.MOMENTS.block(65_536, 1))[0] & 0xff).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void vectorEqualsScalar(Kind kind) {
        assumeTrue(
                VectorModule.isPresent() && VectorDifferences.isSupported(),
                "no vectors of 16 words here: nothing to compare");
        for (int count : new int[] {1, 15, 16, 17, 31, 32, 33, 100, 4096, 65_535, 65_536}) {
            for (int floor : new int[] {0, WEIGHTS, PLAIN}) {
                Block block = kind.block(count, count);
                if (floor == 0 && kind == Kind.ANY) {
                    continue; // Symbols would exceed a byte: no writer uses this floor.
                }
                assertSame(block, floor, "count=%d floor=%d".formatted(count, floor));
            }
        }
    }

    private static void assertSame(Block block, int floor, String what) {
        byte[] scalarSymbols = new byte[block.count() + 16];
        byte[] vectorSymbols = new byte[block.count() + 16];
        var scalarBits = new LaneBits(block.count());
        var vectorBits = new LaneBits(block.count());
        scalarBits.clear();
        vectorBits.clear();
        MemorySegment moved = block.reader();
        MemorySegment movedToo = block.reader();
        new ScalarDifferences().split(block.u(), moved, block.count(), floor, scalarSymbols, scalarBits);
        new VectorDifferences().split(block.u(), movedToo, block.count(), floor, vectorSymbols, vectorBits);
        assertThat(moved.mismatch(block.u())).as(what).isEqualTo(-1);
        assertThat(movedToo.mismatch(block.u())).as(what).isEqualTo(-1);
        assertThat(vectorSymbols).as(what).startsWith(Arrays.copyOf(scalarSymbols, block.count()));
        assertThat(written(vectorBits)).as(what).isEqualTo(written(scalarBits));
        MemorySegment one = block.reader();
        MemorySegment other = block.reader();
        assertThat(new ScalarDifferences().join(scalarSymbols, scalarBits, block.count(), floor, one))
                .isTrue();
        assertThat(new VectorDifferences().join(vectorSymbols, vectorBits, block.count(), floor, other))
                .isTrue();
        assertThat(scalarBits.isFinished() && vectorBits.isFinished()).as(what).isTrue();
        assertThat(one.mismatch(block.u())).as(what).isEqualTo(-1);
        assertThat(other.mismatch(block.u())).as(what).isEqualTo(-1);
    }

    private static byte[] written(LaneBits bits) {
        var frame = new Frame();
        bits.write(frame);
        return frame.contents().toArray(ValueLayout.JAVA_BYTE);
    }

    /// The checksum of the frame protects the values. This test checks that damage leads only to a typed error, and
    /// that scalar and vector readers agree on what is damaged.
    @Test
    void damageIsATypedErrorOrOtherValues() {
        Block block = Kind.WEIGHTS.block(4096, 7);
        var codec = new DifferenceCodec(null);
        byte[] good = encode(codec, new Block(block.u(), block.reader(), block.count()));
        var random = new Random(7);
        for (int i = 0; i < 4000; i++) {
            byte[] bad = good.clone();
            int at = i < 1000 ? i : random.nextInt(bad.length);
            bad[at] = (byte) (bad[at] ^ (1 << random.nextInt(8)));
            decodeDamaged(codec, bad, block);
        }
        for (int length = 0; length < good.length; length += 7) {
            assertThat(decodeDamaged(codec, Arrays.copyOf(good, length), block)).isFalse();
        }
    }

    @Test
    void moreElementsThanABlockHasAreATypedError() {
        var r = Arena.ofAuto().allocate(4L * 65_600, 1);
        byte[] frame = new byte[70_000];
        assertThatThrownBy(() -> new DifferenceCodec(null).decode(new FrameReader(frame, 0, frame.length), r, 65_600))
                .isInstanceOf(CorruptBlockException.class);
        assertThatThrownBy(() -> new MagnitudeCodec(null).decode(new FrameReader(frame, 0, frame.length), r, 65_600))
                .isInstanceOf(CorruptBlockException.class);
    }

    private static boolean decodeDamaged(DifferenceCodec codec, byte[] bytes, Block block) {
        MemorySegment reader = block.reader();
        try {
            codec.decode(new FrameReader(bytes, 0, bytes.length), reader, block.count());
            return Crc32c.of(reader) == Crc32c.of(block.u());
        } catch (CorruptBlockException found) {
            assertThat(found).hasMessageContaining("offset");
            return false;
        }
    }

    private static byte[] encode(DifferenceCodec codec, Block block) {
        var frame = new Frame();
        codec.encode(block.u(), block.r(), block.count(), frame);
        return frame.contents().toArray(ValueLayout.JAVA_BYTE);
    }
}
