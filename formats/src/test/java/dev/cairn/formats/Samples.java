package dev.cairn.formats;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.bundle.Tables;
import dev.cairn.formats.file.BytesInput;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.npz.NpzFile;
import dev.cairn.formats.pt.PtFile;
import dev.cairn.formats.safetensors.SafetensorsFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Files of small tensors, and the contents of files.
public final class Samples {
    public static final SortedMap<String, String> NO_METADATA = new TreeMap<>();
    public static final SortedMap<String, String> METADATA =
            new TreeMap<>(Map.of("format", "pt", "key.with.dots", "3", "ünï", "line\nfeed \"quoted\" \\ ☃"));

    private Samples() {}

    public static Set<ElementType> types(TensorFormat format) {
        var all = EnumSet.allOf(ElementType.class);
        if (format == TensorFormat.NPZ) {
            all.removeIf(type -> type == ElementType.BFLOAT16 || type.label().startsWith("float8"));
        }
        if (format == TensorFormat.BUNDLE) {
            all.removeIf(type -> !Tables.holds(type));
        }
        return all;
    }

    /// One tensor of each type, and some with unusual shapes.
    public static SequencedMap<NamedTensor, byte[]> tensors(Set<ElementType> types, long seed) {
        var random = new Random(seed);
        var tensors = new LinkedHashMap<NamedTensor, byte[]>();
        for (ElementType type : types) {
            put(tensors, new NamedTensor("layer/" + type.label() + ".weight", type, List.of(3L, 5L)), random);
        }
        put(tensors, new NamedTensor("scalar", ElementType.FLOAT32, List.of()), random);
        put(tensors, new NamedTensor("empty", ElementType.INT64, List.of(0L, 7L)), random);
        put(tensors, new NamedTensor("☃ ünï", ElementType.INT16, List.of(1L, 1L, 9L, 1L)), random);
        put(tensors, new NamedTensor("large", ElementType.UINT8, List.of(70_001L)), random);
        put(tensors, new NamedTensor("last, and empty", ElementType.BOOL, List.of(0L)), random);
        return tensors;
    }

    private static void put(Map<NamedTensor, byte[]> tensors, NamedTensor tensor, Random random) {
        byte[] bytes = new byte[Math.toIntExact(tensor.sizeBytes())];
        random.nextBytes(bytes);
        tensors.put(tensor, bytes);
    }

    /// Writes a file in pieces of random sizes.
    public static Path write(
            TensorFormat format, Path file, Map<NamedTensor, byte[]> tensors, SortedMap<String, String> metadata)
            throws IOException {
        var random = new Random(7);
        try (TensorFileWriter writer = format.create(file, new ArrayList<>(tensors.keySet()), metadata)) {
            for (NamedTensor tensor : writer.order()) {
                MemorySegment bytes = MemorySegment.ofArray(tensors.getOrDefault(tensor, new byte[0]));
                for (long at = 0; at < bytes.byteSize(); ) {
                    long length = Math.min(1 + random.nextInt(20_000), bytes.byteSize() - at);
                    writer.write(bytes.asSlice(at, length));
                    at += length;
                }
            }
            writer.finish();
        }
        return file;
    }

    static byte[] bytes(
            TensorFormat format, Path file, Map<NamedTensor, byte[]> tensors, SortedMap<String, String> metadata)
            throws IOException {
        return Files.readAllBytes(write(format, file, tensors, metadata));
    }

    /// Opens a file in memory, for formats of one file.
    static TensorFile open(TensorFormat format, byte[] bytes) throws IOException {
        var input = new BytesInput(bytes);
        return switch (format) {
            case SAFETENSORS -> SafetensorsFile.open(input);
            case NPZ -> NpzFile.open(input);
            case PT -> PtFile.open(input);
            case BUNDLE -> throw new IllegalArgumentException("a bundle has two");
        };
    }

    /// All tensors of a file, in its order.
    public static SequencedMap<NamedTensor, byte[]> read(TensorFile file) throws IOException {
        var tensors = new LinkedHashMap<NamedTensor, byte[]>();
        for (NamedTensor tensor : file.tensors()) {
            byte[] bytes = new byte[Math.toIntExact(tensor.sizeBytes())];
            for (int at = 0; at < bytes.length; at += 10_000) {
                int length = Math.min(10_000, bytes.length - at);
                file.read(tensor, at, MemorySegment.ofArray(bytes).asSlice(at, length));
            }
            tensors.put(tensor, bytes);
        }
        return tensors;
    }
}
