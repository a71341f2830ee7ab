package dev.cairn.formats.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.Allocation;
import dev.cairn.formats.FuzzTest;
import dev.cairn.formats.Samples;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Reading a changed bundle gives a typed error or tensors, like [FuzzTest] for formats of one file.
///
/// A third of the changes are anywhere in index or data; they never let a wrong byte through. A third are within a
/// block of the index, and a third within the description of a tensor; the checksums are then corrected.
class BundleFuzzTest {
    private static final long MOST_BYTES = 32 << 20;

    @TempDir
    Path folder;

    private final MemorySegment piece = MemorySegment.ofArray(new byte[1 << 16]);
    private final SequencedMap<NamedTensor, byte[]> tensors = new LinkedHashMap<>();
    private byte[] index = {};
    private byte[] data = {};

    @BeforeEach
    void write() throws IOException {
        tensors.putAll(Samples.tensors(EnumSet.of(ElementType.FLOAT32, ElementType.UINT16), 1));
        tensors.keySet().removeIf(tensor -> tensor.name().equals("large"));
        Path file = Samples.write(TensorFormat.BUNDLE, folder.resolve("good.ckpt"), tensors, Samples.METADATA);
        List<Path> files = TensorFormat.BUNDLE.files(file);
        data = Files.readAllBytes(files.getFirst());
        index = Files.readAllBytes(files.getLast());
    }

    @Test
    @Timeout(60)
    void changedBundlesAreTypedErrorsOrTensors() throws IOException {
        change(10_000, 1);
    }

    @Test
    @Tag("hostile")
    @Timeout(600)
    void manyChangedBundlesAreTypedErrorsOrTensors() throws IOException {
        change(100_000, 2);
    }

    /// The index stores its own length. The data may have more bytes than the tensors use, but not fewer.
    @Test
    void everyPrefixIsATypedError() throws IOException {
        for (int length = 0; length < index.length; length++) {
            assertThat(read(Arrays.copyOf(index, length), data, true, "index of " + length))
                    .isFalse();
        }
        for (int length = 0; length < data.length; length++) {
            assertThat(read(index, Arrays.copyOf(data, length), true, "data of " + length))
                    .isFalse();
        }
    }

    @Test
    void everyFlippedBitIsATypedErrorOrTheSameTensors() throws IOException {
        for (byte[] bytes : List.of(index, data)) {
            for (int at = 0; at < bytes.length * 8; at++) {
                bytes[at / 8] ^= (byte) (1 << at % 8);
                read(index, data, true, "bit " + at);
                bytes[at / 8] ^= (byte) (1 << at % 8);
            }
        }
    }

    private void change(int rounds, long seed) throws IOException {
        var random = new Random(seed);
        byte[] block = Tables.firstBlock(index);
        int sound = 0;
        for (int round = 0; round < rounds; round++) {
            String context = "seed %d, round %d".formatted(seed, round);
            boolean read = switch (round % 3) {
                case 0 ->
                    random.nextInt(4) == 0
                            ? read(index, FuzzTest.changed(data, random), true, context)
                            : read(FuzzTest.changed(index, random), data, true, context);
                case 1 -> read(Tables.table(FuzzTest.changed(block, random)), data, false, context);
                default -> read(changedRow(random), data, false, context);
            };
            sound += read ? 1 : 0;
        }
        // Otherwise only the first lines of a reader were tested.
        assertThat(sound).isBetween(rounds / 200, rounds * 19 / 20);
    }

    private byte[] changedRow(Random random) throws IOException {
        List<Map.Entry<String, byte[]>> rows = Tables.rows(index);
        int chosen = random.nextInt(rows.size());
        Map.Entry<String, byte[]> row = rows.get(chosen);
        rows.set(chosen, Map.entry(row.getKey(), FuzzTest.changed(row.getValue(), random)));
        return Tables.table(rows);
    }

    /// Whether the bundle could be read to its end.
    private boolean read(byte[] changedIndex, byte[] changedData, boolean isChecked, String context)
            throws IOException {
        long before = Allocation.ofThread();
        boolean sound = false;
        try (TensorFile file = Tables.open(changedIndex, changedData)) {
            for (NamedTensor tensor : file.tensors()) {
                byte[] original = tensors.get(tensor);
                boolean same = true;
                for (long at = 0; at < tensor.sizeBytes(); at += piece.byteSize()) {
                    MemorySegment part = piece.asSlice(0, Math.min(piece.byteSize(), tensor.sizeBytes() - at));
                    file.read(tensor, at, part);
                    same &= original != null
                            && part.mismatch(MemorySegment.ofArray(original).asSlice(at, part.byteSize())) == -1;
                }
                assertThat(same || !isChecked).as(context).isTrue();
            }
            sound = true;
        } catch (FormatException expected) {
            assertThat(expected.getMessage()).as(context).hasSizeLessThan(1000).doesNotContain("\n");
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw new AssertionError(context, e);
        }
        assertThat(Allocation.ofThread() - before).as(context).isLessThan(MOST_BYTES);
        return sound;
    }
}
