package dev.cairn.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
    private static final int MEGABYTES = 1;

    @ParameterizedTest
    @EnumSource
    void decodingGivesWhatTheEncoderSaidItWould(Contender contender) throws CorruptBlockException {
        try (Coder coder = contender.open(MEGABYTES)) {
            byte[][] frames = coder.encodeAll();
            byte[] promised = bytes(contender.isExact() ? coder.source() : coder.restored());
            coder.reset();
            assertThat(bytes(coder.restored())).isNotEqualTo(promised);
            for (int block = 0; block < frames.length; block++) {
                coder.decode(block, frames[block]);
            }
            assertThat(bytes(coder.restored())).isEqualTo(promised);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyPassEncodesTheSameBytes(Contender contender) {
        try (Coder coder = contender.open(MEGABYTES)) {
            coder.encodeAll();
            // Encoders keep their code tables from pass to pass; from the second on nothing changes.
            assertThat(coder.encodeAll()).isDeepEqualTo(coder.encodeAll());
        }
    }

    @Test
    void lossyDecodingComesNearerToTheLiveValuesThanTheParentWas() {
        try (Coder coder = Contender.LOSSY.open(MEGABYTES)) {
            coder.reset();
            double before = distance(coder.source(), coder.restored());
            coder.encodeAll();
            assertThat(distance(coder.source(), coder.restored())).isBetween(0.3 * before, 0.6 * before);
        }
    }

    @Test
    void sizesAreThoseOfATrainingWithAdam() {
        assertThat(bitsPerValue(Contender.LOSSY)).isBetween(0.7, 1.2);
        assertThat(bitsPerValue(Contender.LOSSLESS)).isBetween(16.5, 19.5);
        assertThat(bitsPerValue(Contender.LZ4)).isGreaterThan(31);
    }

    private static double bitsPerValue(Contender contender) {
        try (Coder coder = contender.open(MEGABYTES)) {
            long bytes = 0;
            for (byte[] frame : coder.encodeAll()) {
                bytes += frame.length;
            }
            return 32.0 * bytes / coder.source().byteSize();
        }
    }

    private static byte[] bytes(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    private static double distance(MemorySegment one, MemorySegment other) {
        double squares = 0;
        for (long i = 0; i < one.byteSize() / Float.BYTES; i++) {
            double difference =
                    (double) one.getAtIndex(ValueLayout.JAVA_FLOAT, i) - other.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            squares += difference * difference;
        }
        return Math.sqrt(squares);
    }
}
