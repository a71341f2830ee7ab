package dev.cairn.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.zip.ZipContent;
import dev.cairn.formats.zip.ZipDirectory;
import dev.cairn.formats.zip.ZipEntry;
import dev.cairn.formats.zip.Zips;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// Reading a changed file gives a typed error or tensors. It gives no other error, it always ends, and its memory is
/// bounded.
///
/// Every second change of a zip file is made within an entry, and the entry's checksum is corrected. Otherwise the test
/// would only test the checksum. The other changes never let a wrong byte through.
/// [BundleFuzzTest][dev.cairn.formats.bundle.BundleFuzzTest] does the same with bundles.
public class FuzzTest {
    private static final long MOST_BYTES = 32 << 20;
    private static final String[] PIECES = {
        "-",
        "9".repeat(20),
        "\"",
        "{",
        "}",
        "[",
        "]",
        "null",
        "1e9",
        ",",
        ":",
        "0",
        "a",
        "\\",
        "'",
        "(",
        ")",
        "True",
        "F64",
        "U8",
        "<f8",
        "__metadata__",
        "]]]]",
        "{{{{",
        "\n",
        "ctorch\nload\n",
        "R",
        "Q",
        "u",
        ".",
        "t",
        "(",
        "h\0"
    };

    @TempDir
    Path folder;

    private final MemorySegment piece = MemorySegment.ofArray(new byte[1 << 16]);
    private final SequencedMap<NamedTensor, byte[]> tensors = new LinkedHashMap<>();

    @BeforeEach
    void makeTensors() {
        tensors.putAll(Samples.tensors(EnumSet.of(ElementType.FLOAT32, ElementType.UINT16), 1));
        tensors.keySet().removeIf(tensor -> tensor.name().equals("large"));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BUNDLE")
    @Timeout(60)
    void changedFilesAreTypedErrorsOrTensors(TensorFormat format) throws IOException {
        change(format, 10_000, 1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BUNDLE")
    @Tag("hostile")
    @Timeout(600)
    void manyChangedFilesAreTypedErrorsOrTensors(TensorFormat format) throws IOException {
        change(format, 100_000, 2);
    }

    private void change(TensorFormat format, int rounds, long seed) throws IOException {
        var random = new Random(seed);
        byte[] good = Samples.bytes(format, folder.resolve("good"), tensors, Samples.METADATA);
        int sound = 0;
        for (int round = 0; round < rounds; round++) {
            boolean within = format != TensorFormat.SAFETENSORS && random.nextBoolean();
            byte[] bytes = within ? changedWithin(good, random) : changed(good, random);
            sound += read(format, bytes, !within, "seed %d, round %d".formatted(seed, round)) ? 1 : 0;
        }
        // Otherwise only the first lines of a reader were tested.
        assertThat(sound).isBetween(rounds / 200, rounds * 19 / 20);
    }

    /// Whether the file could be read to its end.
    private boolean read(TensorFormat format, byte[] bytes, boolean isChecked, String context) throws IOException {
        long before = Allocation.ofThread();
        boolean sound = false;
        try (TensorFile file = Samples.open(format, bytes)) {
            for (NamedTensor tensor : file.tensors()) {
                byte[] original = tensors.get(tensor);
                boolean same = true;
                for (long at = 0; at < tensor.sizeBytes(); at += piece.byteSize()) {
                    MemorySegment part = piece.asSlice(0, Math.min(piece.byteSize(), tensor.sizeBytes() - at));
                    file.read(tensor, at, part);
                    same &= original == null
                            || part.mismatch(MemorySegment.ofArray(original).asSlice(at, part.byteSize())) == -1;
                }
                assertThat(same || !isChecked || format == TensorFormat.SAFETENSORS)
                        .as(context)
                        .isTrue();
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

    /// Makes up to three changes anywhere: bytes, numbers, lengths, pieces of text.
    public static byte[] changed(byte[] good, Random random) {
        byte[] bytes = good.clone();
        for (int change = random.nextInt(3); change >= 0; change--) {
            int at = random.nextInt(Math.max(1, bytes.length));
            switch (random.nextInt(8)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes = joined(bytes, at, new byte[random.nextInt(9)], at);
                case 2 -> bytes = joined(bytes, at, new byte[0], Math.min(bytes.length, at + random.nextInt(9)));
                case 3 -> {
                    byte[] text = PIECES[random.nextInt(PIECES.length)].getBytes(ISO_8859_1);
                    bytes = joined(bytes, at, text, Math.min(bytes.length, at + random.nextInt(text.length + 1)));
                }
                case 4 -> {
                    int end = Math.min(bytes.length, at + (1 << random.nextInt(4)));
                    Arrays.fill(bytes, at, end, (byte) (random.nextBoolean() ? 0xff : 0));
                }
                default -> {
                    if (at < bytes.length) {
                        bytes[at] = (byte) random.nextInt();
                    }
                }
            }
        }
        return bytes;
    }

    /// Changes one entry in the same way, and stores or deflates it again with correct checksums.
    private static byte[] changedWithin(byte[] good, Random random) throws IOException {
        var input = new BytesInput(good);
        Map<String, ZipEntry> found = ZipDirectory.read(input, new Allowance("zip"));
        List<String> names = new ArrayList<>(found.keySet());
        // Half of the time it is the first entry, which is the pickle in pt.
        String chosen = names.get(random.nextBoolean() ? 0 : random.nextInt(names.size()));
        var entries = new LinkedHashMap<String, byte[]>();
        for (ZipEntry entry : found.values()) {
            byte[] content = ZipContent.readAll(input, entry, 1 << 20, new Allowance("zip"));
            entries.put(entry.name(), entry.name().equals(chosen) ? changed(content, random) : content);
        }
        return random.nextInt(4) == 0 ? Zips.deflated(entries) : Zips.stored(entries);
    }

    private static byte[] joined(byte[] bytes, int until, byte[] middle, int from) {
        byte[] joined = new byte[until + middle.length + bytes.length - from];
        System.arraycopy(bytes, 0, joined, 0, until);
        System.arraycopy(middle, 0, joined, until, middle.length);
        System.arraycopy(bytes, from, joined, until + middle.length, bytes.length - from);
        return joined;
    }
}
