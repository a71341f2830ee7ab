package dev.cairn.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.formats.bundle.Tables;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.zip.Zips;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads files that describe huge contents in a process with 64 MB of heap. Each gives a typed error quickly.
class SmallHeapTest {
    private static final String TENSOR = "ctorch._utils\n_rebuild_tensor_v2\n((U\u0007storagectorch\nFloatStorage\n"
            + "U\u00010U\u0003cpuK\u0010tQK\u0000(K\u0001t(K\u0001t\u0089ccollections\nOrderedDict\n)RtR";

    /// What was built from a file takes more memory than its bytes or the heap allow.
    private static final String BOUND =
            "[0-9,]+ bytes of it expand to more than [0-9,]+, which no file of tensors needs"
                    + "|its description of tensors takes more than [0-9,]+ bytes of memory, the limit for this heap";

    /// Reasons of files that are refused before anything is built from them.
    private static final Map<String, String> REASONS = Map.of(
            "dimensions.pt", "a call of torch._utils._rebuild_tensor_v2 with invalid arguments",
            "far-memo.pt", "a value cannot be stored as number 2147483647",
            "keys.safetensors", "tensor a has more than a dtype, a shape and two data_offsets",
            "views.pt", "its tensors share storages of 67,108,864 bytes, and reading them all takes 402,653,184,000");

    private static final long TEXT_BYTES = 99_000_000;

    @TempDir
    Path folder;

    @Test
    void everyReaderEndsInATypedErrorWithinASmallHeap() throws Exception {
        writePickles();
        writeArrays();
        writeHeaders();
        writeIndexes();
        List<String> ends = readAll();
        assertThat(ends).hasSize(21).allSatisfy(end -> {
            String file = end.substring(0, end.indexOf('\t'));
            assertThat(end).matches("\\S+\t\\w+Exception .*: (" + REASONS.getOrDefault(file, BOUND) + ").*");
        });
    }

    @Test
    void whatIsLargeForGoodReasonIsRead() throws Exception {
        var pickle = new StringBuilder("\u0080\u0002}(");
        for (int i = 0; i < 5_000; i++) {
            pickle.append("X\u0013\u0000\u0000\u0000layers.%05d.weight".formatted(i))
                    .append(TENSOR);
        }
        write("many.pt", Zips.pt(pickle.append("u.").toString()));
        write("deflated.pt", deflated(pickle.toString()));
        var arrays = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < 10_000; i++) {
            arrays.put("layers." + i + ".npy", npy("(2,)", 2));
        }
        write("many.npz", Zips.stored(arrays));
        var header = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            header.append(i == 0 ? "{" : ",").append(extent("layers." + i + ".weight", "[0]"));
        }
        write("many.safetensors", safetensors(header + "}"));
        assertThat(readAll())
                .containsExactly(
                        "deflated.pt\tread 5000",
                        "many.npz\tread 10000",
                        "many.pt\tread 5000",
                        "many.safetensors\tread 20000");
    }

    private void writePickles() throws IOException {
        writePickle("memo", "]" + "\u0094".repeat(90_000_000));
        writePickle("far-memo", "]r\u00ff\u00ff\u00ff\u007f");
        writePickle("marks", "(".repeat(50_000_000));
        writePickle("lists", "]".repeat(50_000_000));
        writePickle("dictionaries", "}".repeat(50_000_000));
        writePickle("again", "]q\u0000" + "h\u0000".repeat(20_000_000));
        writePickle("name", "c" + "n".repeat(90_000_000));
        // A dictionary of one list that occurs many times, and a shape.
        writePickle(
                "calls",
                "](" + "K\u0001K\u0002\u0086".repeat(1000) + "eq\u0000"
                        + "ccollections\nOrderedDict\nh\u0000\u0085R".repeat(100_000));
        writePickle("shapes", shapes(NamedTensor.MOST_DIMENSIONS, 100_000));
        writePickle("dimensions", shapes(NamedTensor.MOST_DIMENSIONS + 1, 1));
        // Each dictionary contains the previous one twice: 2^22 names of 40 characters and more.
        var shared = new StringBuilder("}U\u0001w" + TENSOR + "s");
        for (int level = 0; level < 22; level++) {
            shared.append("q\u0000}(U\u0002aah\u0000U\u0002bbh\u0000u");
        }
        writePickle("names", shared.toString());
        writePickle(
                "texts",
                "}(" + "U\u0001tX\u0000\u0000\u0010\u0000%sq\u0000".formatted("t".repeat(1 << 20))
                        + numbered("h\u0000", 60_000) + "u");
        write("stored-lists.pt", Zips.pt("]".repeat(4_000_000) + "."));
        // Views of one storage: 400 GB.
        var views = new LinkedHashMap<String, byte[]>();
        String whole = TENSOR.replace("K\u0010", "J\u0000\u0000\u0000\u0001")
                .replace("(K\u0001t(", "(J\u0000\u0000\u0000\u0001t(");
        views.put("archive/data.pkl", ("}(" + numbered(whole, 6000) + "u.").getBytes(ISO_8859_1));
        views.put("archive/data/0", new byte[64 << 20]);
        write("views.pt", Zips.deflated(views));
    }

    private void writeArrays() throws IOException {
        write("metadata.npz", Zips.deflated(Map.of("__metadata__.json", new byte[99_000_000])));
        var many = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < 150_000; i++) {
            many.put(i + ".npy", new byte[0]);
        }
        many.replaceAll((_, _) -> npy("(0,)", 0));
        write("entries.npz", Zips.deflated(many));
        var wide = new LinkedHashMap<String, byte[]>();
        for (int i = 0; i < 5_000; i++) {
            wide.put(i + ".npy", npy("(0" + ",300".repeat(7) + ",1".repeat(990) + ")", 0));
        }
        write("dimensions.npz", Zips.deflated(wide));
    }

    private void writeHeaders() throws IOException {
        var tensors = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            tensors.append(i == 0 ? "{" : ",").append(extent(Integer.toString(i), "[0]"));
        }
        write("tensors.safetensors", safetensors(tensors + "}"));
        var keys = new StringBuilder("{\"a\":{\"x\":{");
        for (int i = 0; i < 700_000; i++) {
            keys.append(i == 0 ? "" : ",").append('"').append(i).append("\":0");
        }
        write("keys.safetensors", safetensors(keys + "}}}"));
    }

    private void writeIndexes() throws IOException {
        write("names.index", Tables.ofLongNames(4000, 20_000));
        write("names.data-00000-of-00001", new byte[0]);
        // A text that fills the heap but takes no space on the disk.
        write("text.index", Tables.ofOneText(TEXT_BYTES));
        try (var data =
                new RandomAccessFile(folder.resolve("text.data-00000-of-00001").toFile(), "rw")) {
            data.setLength(TEXT_BYTES);
        }
    }

    /// The given number of tensors that share one shape, which is stored once.
    private static String shapes(int dimensions, int tensors) {
        return "(" + "K\u0001".repeat(dimensions) + "tq\u0000"
                + TENSOR.replace("(K\u0001t", "h\u0000").repeat(tensors);
    }

    /// Entries of a dictionary, each with this value.
    private static String numbered(String value, int count) {
        var entries = new StringBuilder();
        for (int i = 0; i < count; i++) {
            entries.append("U\u0005%05d".formatted(i)).append(value);
        }
        return entries.toString();
    }

    private void writePickle(String name, String pickle) throws IOException {
        write(name + ".pt", deflated(pickle + "."));
    }

    private static byte[] deflated(String pickle) throws IOException {
        return Zips.deflated(Map.of("archive/data.pkl", pickle.getBytes(ISO_8859_1), "archive/data/0", new byte[64]));
    }

    private static byte[] npy(String shape, int dataBytes) {
        return Zips.npy("{'descr': '|u1', 'fortran_order': False, 'shape': %s, }\n".formatted(shape), dataBytes);
    }

    private static String extent(String name, String shape) {
        return "\"%s\":{\"dtype\":\"U8\",\"shape\":%s,\"data_offsets\":[0,0]}".formatted(name, shape);
    }

    private static byte[] safetensors(String header) {
        byte[] text = header.getBytes(UTF_8);
        return ByteBuffer.allocate(8 + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .put(text)
                .array();
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(folder.resolve(name), bytes);
    }

    private List<String> readAll() throws IOException {
        return Command.java(List.of("-Xmx64m", "-XX:+UseSerialGC"), OpenEach.class, folder.toString())
                .withErrorsInOutput()
                .run()
                .out()
                .lines()
                .toList();
    }
}
