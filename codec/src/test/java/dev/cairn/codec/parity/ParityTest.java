package dev.cairn.codec.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParityTest {
    private static final int REGION = ParityLayout.LEAST_REGION_BYTES;

    /// A file with parity, as it was written.
    private static final class Protected {
        private final byte[] contents;
        private final byte[] file;
        private final ParityLayout layout;

        Protected(byte[] contents, byte[] file, ParityLayout layout) {
            this.contents = contents;
            this.file = file;
            this.layout = layout;
        }

        byte[] healed(byte[] damaged) throws UnhealableException {
            Healing.Source<RuntimeException> source = source(damaged);
            byte[] read = new byte[contents.length];
            healing(layout, source).read(source, 0, read, read.length);
            return read;
        }
    }

    private static Healing.Source<RuntimeException> source(byte[] file) {
        return (offset, target, length) -> {
            int there = Math.clamp(file.length - offset, 0, length);
            System.arraycopy(file, (int) Math.min(offset, file.length), target, 0, there);
            return there;
        };
    }

    private static Healing healing(ParityLayout layout, Healing.Source<RuntimeException> source)
            throws UnhealableException {
        return Healing.of(layout, source, (_, _, _) -> 0);
    }

    private static Protected make(int size, long mostBytes, Random random) {
        byte[] contents = new byte[size];
        random.nextBytes(contents);
        var builder = new ParityBuilder(mostBytes);
        var file = new ByteArrayOutputStream();
        file.writeBytes(contents);
        for (int at = 0; at < size; ) {
            int length = Math.min(size - at, 1 + random.nextInt(random.nextBoolean() ? 100 : 300_000));
            builder.append(contents, at, length);
            at += length;
        }
        ParityLayout layout = builder.finish((bytes, from, length) -> file.write(bytes, from, length));
        assertThat(file.size()).isEqualTo(layout.fileBytes());
        return new Protected(contents, file.toByteArray(), layout);
    }

    private static byte[] withNoise(byte[] file, int at, int length, Random random) {
        byte[] damaged = file.clone();
        byte[] noise = new byte[Math.clamp(file.length - at, 0, length)];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, damaged, at, noise.length);
        return damaged;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 4096, 5000, 10_240, 100_001})
    void healsFourKibibytesAnywhereInSmallFiles(int size) throws UnhealableException {
        var random = new Random(size);
        Protected whole = make(size, size, random);
        int stride = size < 20_000 ? 61 : 512;
        for (int at = 0; at < whole.file.length; at += stride) {
            assertThat(whole.healed(withNoise(whole.file, at, REGION, random)))
                    .as("noise at %d", at)
                    .isEqualTo(whole.contents);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, (1 << 20) + 1, 3_000_000, 20_000_001})
    void healsAHundredthAnywhereInLargeFiles(int size) throws UnhealableException {
        var random = new Random(size);
        // The announced size decides how many groups are combined before the true size is known.
        for (long announced : new long[] {size, 40L * size}) {
            Protected whole = make(size, announced, random);
            int region = whole.file.length / 100;
            for (int i = 0; i < 12; i++) {
                int at = i == 0 ? size - region / 2 : random.nextInt(whole.file.length);
                assertThat(whole.healed(withNoise(whole.file, at, region, random)))
                        .as("noise at %d", at)
                        .isEqualTo(whole.contents);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {700, 10_240, 2_000_000})
    void healsTruncationsByAHundredth(int size) throws UnhealableException {
        Protected whole = make(size, size, new Random(size));
        int most = Math.max(whole.file.length / 100, REGION);
        for (int less = 0; less <= most; less += Math.max(1, most / 40)) {
            assertThat(whole.healed(Arrays.copyOf(whole.file, whole.file.length - less)))
                    .isEqualTo(whole.contents);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 1 << 20, 1_500_000, 3_000_000, 10_000_000, 1L << 30, 12L << 30, 1L << 39})
    void costsAtMostThreePercentAndAFifthOfAMegabyteAndMore(long size) {
        for (long bytes = size; bytes < 2 * size; bytes += size / 170) {
            ParityLayout layout = ParityLayout.of(bytes);
            assertThat(layout.fileBytes() - bytes)
                    .as("parity of %d bytes", bytes)
                    .isBetween(bytes * 12 / 1000, bytes * 32 / 1000);
            assertThat(layout.parityBytes()).isGreaterThan(layout.fileBytes() / 100);
        }
    }

    @Test
    void twoDamagesInOneGroupAreNeverHealedWrongly() {
        var random = new Random(5);
        Protected whole = make(200_000, 200_000, random);
        int distance = (int) whole.layout.parityBytes();
        byte[] damaged = whole.file.clone();
        damaged[1000] ^= 1;
        damaged[1000 + 3 * distance] ^= 1;
        assertThatThrownBy(() -> whole.healed(damaged))
                .isInstanceOf(UnhealableException.class)
                .hasMessageContaining("share their parity");
    }

    @Test
    void bothTablesDamagedIsNotHealed() {
        Protected whole = make(50_000, 50_000, new Random(6));
        byte[] damaged = whole.file.clone();
        damaged[(int) whole.layout.firstTable()] ^= 1;
        damaged[(int) whole.layout.secondTable()] ^= 1;
        assertThatThrownBy(() -> whole.healed(damaged)).isInstanceOf(UnhealableException.class);
    }

    /// A write to a wrong place leaves a table of another file, and its checksum is right.
    @Test
    void aTableOfAnotherFileIsNotTaken() throws UnhealableException {
        var random = new Random(11);
        Protected whole = make(60_000, 100_000, random);
        Protected other = make(60_000, 100_000, random);
        ParityLayout layout = whole.layout;
        for (long table : new long[] {layout.firstTable(), layout.secondTable()}) {
            for (long before : new long[] {0, 2000}) {
                byte[] damaged = whole.file.clone();
                int from = (int) (table - before);
                int end = (int) (table + layout.tableBytes());
                System.arraycopy(other.file, from, damaged, from, end - from);
                assertThat(whole.healed(damaged)).isEqualTo(whole.contents);
                assertThat(healing(layout, source(damaged)).isNeeded()).isTrue();
                assertThat(Healing.isParityIntact(layout, source(damaged))).isFalse();
            }
        }
    }

    @Test
    void tellsDamageOfTheRedundancyItself() throws UnhealableException {
        Protected whole = make(50_000, 50_000, new Random(7));
        assertThat(healing(whole.layout, source(whole.file)).isNeeded()).isFalse();
        for (long at : new long[] {
            whole.layout.firstTable(), whole.layout.offset(whole.layout.contentChunks()), whole.layout.secondTable()
        }) {
            byte[] damaged = whole.file.clone();
            damaged[(int) at] ^= 1;
            Healing healing = healing(whole.layout, source(damaged));
            assertThat(healing.isNeeded()).isTrue();
            assertThat(healing.healedBytes()).isZero();
            assertThat(Healing.isParityIntact(whole.layout, source(damaged))).isFalse();
        }
        assertThat(Healing.isParityIntact(whole.layout, source(whole.file))).isTrue();
    }

    /// A record may have a right checksum and a layout that its file does not have.
    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void aHugeLayoutTakesNoMemory(int chunkBytes) {
        var layout = new ParityLayout(chunkBytes * 500_000_000L, chunkBytes, 9);
        var largest = new AtomicInteger();
        Healing.Source<RuntimeException> file = source(new byte[78_000]);
        Healing.Source<RuntimeException> watched = (offset, target, length) -> {
            largest.accumulateAndGet(target.length, Math::max);
            return file.read(offset, target, length);
        };
        assertThatThrownBy(() -> healing(layout, watched)).isInstanceOf(UnhealableException.class);
        assertThat(Healing.isParityIntact(layout, watched)).isFalse();
        assertThat(largest.get()).isBetween(1, 1 << 20);
    }

    @Test
    void contentsBeyondTheAnnouncedSizeStillHealALittle() throws UnhealableException {
        var random = new Random(8);
        Protected whole = make(9_000_000, 1_200_000, random);
        assertThat(whole.healed(withNoise(whole.file, 5_000_000, REGION, random)))
                .isEqualTo(whole.contents);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 513, 10_240, 100_001, 2_500_000})
    void writesTheFileAnewAsItWas(int size) throws UnhealableException {
        var random = new Random(size);
        Protected whole = make(size, size, random);
        int region = Math.max(REGION, whole.file.length / 100);
        for (int i = 0; i < 40; i++) {
            int at = random.nextInt(whole.file.length);
            byte[] damaged = i % 4 == 0
                    ? Arrays.copyOf(whole.file, whole.file.length - random.nextInt(Math.min(region, whole.file.length)))
                    : withNoise(whole.file, at, region, random);
            assertThat(anew(whole.layout, damaged)).as("damage at %d", at).isEqualTo(whole.file);
        }
        assertThat(anew(whole.layout, whole.file)).isEqualTo(whole.file);
        assertThat(anew(whole.layout, Arrays.copyOf(whole.file, whole.file.length + 100)))
                .isEqualTo(whole.file);
    }

    private static byte[] anew(ParityLayout layout, byte[] damaged) throws UnhealableException {
        var file = new ByteArrayOutputStream();
        healing(layout, source(damaged))
                .write(source(damaged), (bytes, from, length) -> file.write(bytes, from, length));
        return file.toByteArray();
    }

    /// What is computed from a chunk that is damaged now, and was intact when it was checked, is not what was written.
    @Test
    void aChunkThatIsDamagedBeforeOthersAreComputedFromItIsNoticed() {
        Protected whole = make(50_000, 50_000, new Random(10));
        ParityLayout layout = whole.layout;
        byte[] file = whole.file.clone();
        file[100] ^= 1;
        int other = 1;
        while (layout.group(other) != layout.group(0)) {
            other++;
        }
        int offset = (int) layout.offset(other);
        Healing.Source<RuntimeException> source = source(file);
        var scans = new AtomicInteger();
        Healing.Source<RuntimeException> rotting = (at, target, length) -> {
            if (at == 0 && scans.incrementAndGet() == 2) {
                file[offset] ^= 1;
            }
            return source.read(at, target, length);
        };
        assertThatThrownBy(() -> healing(layout, rotting))
                .isInstanceOf(UnhealableException.class)
                .hasMessageContaining("does not fit");
        assertThat(scans).hasValue(2);
    }

    @Test
    void writesNothingAnewThatIsDamagedInTheMeantime() throws UnhealableException {
        Protected whole = make(50_000, 50_000, new Random(9));
        byte[] damaged = whole.file.clone();
        damaged[100] ^= 1;
        Healing healing = healing(whole.layout, source(damaged));
        damaged[20_000] ^= 1;
        assertThatThrownBy(() -> healing.write(source(damaged), (_, _, _) -> {}))
                .isInstanceOf(UnhealableException.class)
                .hasMessageContaining("damaged further");
    }
}
