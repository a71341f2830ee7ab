package dev.cairn.checkpoint.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.capture.CopyThreads.Copy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyThreadsTest {
    private static final long[] SIZES = {
        0, 1, 7, CopyThreads.PIECE_BYTES, 2 * CopyThreads.PIECE_BYTES + 5, 0, CopyThreads.PIECE_BYTES - 3, 12
    };

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void copiesEveryByteOfEverySize(int count) {
        try (Arena arena = Arena.ofShared();
                var threads = new CopyThreads(count)) {
            var copies = new ArrayList<Copy>();
            var random = new Random(count);
            for (long size : SIZES) {
                MemorySegment from = arena.allocate(size, 1);
                for (long i = 0; i < size; i += 97) {
                    from.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
                }
                copies.add(new Copy(from, arena.allocate(size, 1)));
            }
            threads.copy(copies);
            assertThat(copies).allMatch(copy -> copy.from().mismatch(copy.to()) == -1);
        }
    }

    @Test
    void aFailedCopyIsToldWhenNobodyCopiesAnyMore() {
        try (Arena arena = Arena.ofShared();
                var threads = new CopyThreads(2)) {
            var copies = new ArrayList<Copy>();
            copies.add(new Copy(arena.allocate(3 * CopyThreads.PIECE_BYTES), arena.allocate(10)));
            assertThatThrownBy(() -> threads.copy(copies)).hasStackTraceContaining("IndexOutOfBounds");
        } // and the arena closes, which it would refuse while somebody reads or writes it
    }
}
