package dev.cairn.codec.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file and a copy of it, both damaged, give the whole together, or the damage is found.
class CopiedChunksTest {
    private byte[] contents = new byte[0];
    private byte[] file = new byte[0];
    private ParityLayout layout = ParityLayout.of(0);

    private void make(int size, Random random) {
        contents = new byte[size];
        random.nextBytes(contents);
        var builder = new ParityBuilder(size);
        builder.append(contents, 0, size);
        var whole = new ByteArrayOutputStream();
        whole.writeBytes(contents);
        layout = builder.finish((bytes, from, length) -> whole.write(bytes, from, length));
        file = whole.toByteArray();
    }

    private static Healing.Source<RuntimeException> source(byte[] bytes, AtomicLong read) {
        return (offset, target, length) -> {
            int there = Math.clamp(bytes.length - offset, 0, length);
            System.arraycopy(bytes, (int) Math.min(offset, bytes.length), target, 0, there);
            read.addAndGet(there);
            return there;
        };
    }

    /// Damages regions, or cuts the file.
    private static byte[] damaged(byte[] good, int regions, Random random) {
        byte[] bad = good.clone();
        for (int i = 0; i < regions; i++) {
            byte[] noise = new byte[1 + random.nextInt(good.length / 8)];
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bad, random.nextInt(bad.length - noise.length + 1), noise.length);
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bad, random.nextInt(bad.length)) : bad;
    }

    private byte[] healed(byte[] bad, byte[] copy, AtomicLong read) throws UnhealableException {
        Healing.Source<RuntimeException> source = source(bad, new AtomicLong());
        Healing healing = Healing.of(layout, source, source(copy, read));
        assertThat(read.get()).isGreaterThanOrEqualTo(healing.copiedBytes());
        byte[] healed = new byte[contents.length];
        healing.read(source, 0, healed, healed.length);
        return healed;
    }

    @ParameterizedTest
    @ValueSource(ints = {5000, 100_001, (1 << 20) + 1, 3_000_000})
    void aWholeCopyHealsAnyDamageAndGivesNoMoreThanIsDamaged(int size) throws UnhealableException {
        var random = new Random(size);
        make(size, random);
        for (int trial = 0; trial < 30; trial++) {
            byte[] bad = damaged(file, 1 + trial % 5, random);
            var read = new AtomicLong();
            assertThat(healed(bad, file, read)).isEqualTo(contents);
            assertThat(read.get()).isLessThanOrEqualTo(damagedBytes(bad));
        }
    }

    /// The size of the chunks that are damaged, and of a table if both are.
    private long damagedBytes(byte[] bad) {
        long bytes = 0;
        for (int position = 0; position < layout.contentChunks(); position++) {
            int from = (int) layout.offset(position);
            int to = from + layout.chunkBytes();
            boolean isDamaged = to > bad.length || !Arrays.equals(file, from, to, bad, from, to);
            bytes += isDamaged ? layout.chunkBytes() : 0;
        }
        return bytes + layout.tableBytes();
    }

    @ParameterizedTest
    @ValueSource(ints = {5000, 100_001, (1 << 20) + 1})
    void twoDamagedFilesNeverGiveWrongBits(int size) {
        var random = new Random(size);
        make(size, random);
        int healed = 0;
        for (int trial = 0; trial < 60; trial++) {
            byte[] bad = damaged(file, 2, random);
            byte[] copy = damaged(file, 1 + trial % 3, random);
            try {
                assertThat(healed(bad, copy, new AtomicLong())).isEqualTo(contents);
                healed++;
            } catch (UnhealableException found) {
                assertThat(found).hasMessageContaining("damaged");
            }
        }
        assertThat(healed).isBetween(10, 59);
    }

    @Test
    void theCopyOfAnotherFileGivesNothing() {
        var random = new Random(1);
        make(50_000, random);
        byte[] other = file;
        make(50_000, random);
        byte[] bad = file.clone();
        bad[100] ^= 1;
        bad[100 + (int) layout.parityBytes()] ^= 1;
        assertThatThrownBy(() -> healed(bad, other, new AtomicLong()))
                .isInstanceOf(UnhealableException.class)
                .hasMessageContaining("share their parity");
    }
}
