package dev.cairn.bench.transfer;

import dev.cairn.bench.Bench;
import dev.cairn.bench.Medians;
import dev.cairn.bench.Memcpy;
import dev.cairn.bench.Row;
import dev.cairn.bench.transfer.CommandProcess.Outcome;
import dev.cairn.codec.ElementType;
import dev.cairn.disk.Folders;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFileWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Measures `cairn export` and `cairn import` of a large state, each in a process with little memory, and plain copies
/// of the same file. A measurement ends when everything written is on the disk.
public final class TransferBench implements Bench {
    private static final int TENSORS = 40;
    private static final int ROUNDS = 5;
    private static final long PIECE_BYTES = 16 << 20;
    private static final double MEGA = 1e6;

    private final String main;
    private final Path folder;
    private final long sizeBytes;
    private final Consumer<String> progress;
    private Path copied = Path.of("");
    private final List<Double> copies = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private long peakBytes;

    /// @param main the name of the program's main class
    /// @param sizeBytes the size of the state
    public TransferBench(String main, Path folder, long sizeBytes, Consumer<String> progress) {
        this.main = main;
        this.folder = folder;
        this.sizeBytes = sizeBytes;
        this.progress = progress;
    }

    @Override
    public List<Row> run() throws IOException {
        Path source = folder.resolve("source.safetensors");
        write(source);
        copied = source;
        Path run = folder.resolve("run");
        var ratios = new ArrayList<Row>();
        ratios.add(transfer("import.safetensors", List.of(run), "import", source.toString(), run.toString()));
        for (TensorFormat format : TensorFormat.values()) {
            Path file = folder.resolve("file" + format.endings().getFirst());
            List<Path> made = format.files(file);
            ratios.add(transfer("export." + format.label(), made, "export", run.toString(), file.toString()));
            if (format == TensorFormat.SAFETENSORS) {
                if (Files.mismatch(source, file) != -1) {
                    throw new IOException("the exported file is not the imported one");
                }
                // Fewer files than fit into memory: else all measure how the system makes room in its cache.
                copied = largestFile(run);
                delete(source);
            } else {
                Path again = folder.resolve("again");
                List<Path> runs = List.of(again);
                ratios.add(transfer("import." + format.label(), runs, "import", file.toString(), again.toString()));
                delete(again);
            }
            for (Path part : made) {
                delete(part);
            }
        }
        double usual = Medians.of(
                        copies.stream().mapToDouble(Double::doubleValue).toArray())
                .median();
        rows.add(Row.plain("copy", sizeBytes / usual / MEGA, "MB/s"));
        rows.addAll(ratios);
        rows.add(Row.atMost("memory.peak", peakBytes / MEGA, "MB", 512, 384));
        return rows;
    }

    /// Runs the command and plain copies in turn, several times, so that other load slows down both. The best of each
    /// counts.
    ///
    /// @param made what it makes, and made before
    private Row transfer(String name, List<Path> made, String... arguments) throws IOException {
        double bestCopy = copy();
        double best = Double.MAX_VALUE;
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("%s, %d of %d".formatted(name, round, ROUNDS));
            for (Path part : made) {
                delete(part);
            }
            Outcome outcome = CommandProcess.run(main, folder.resolve("log"), arguments);
            peakBytes = Math.max(peakBytes, outcome.peakBytes());
            best = Math.min(best, outcome.nanos() / 1e9);
            bestCopy = Math.min(bestCopy, copy());
        }
        return Row.atLeast(name, bestCopy / best, "of copy's speed", 0.5, 1);
    }

    private static Path largestFile(Path run) throws IOException {
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            return files.max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    /// The seconds of a plain copy with as many bytes as the state, until it is on the disk.
    private double copy() throws IOException {
        Path target = folder.resolve("copy");
        long start = System.nanoTime();
        try (FileChannel in = FileChannel.open(copied, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < in.size(); ) {
                at += in.transferTo(at, PIECE_BYTES, out);
            }
            out.force(true);
        }
        double seconds = (System.nanoTime() - start) / 1e9 * sizeBytes / Files.size(copied);
        copies.add(seconds);
        Files.delete(target);
        return seconds;
    }

    /// Weights that look to a codec like those of a training: from one distribution, and no two equal blocks within a
    /// piece.
    private void write(Path file) throws IOException {
        progress.accept("making a state of " + sizeBytes / 1_000_000 + " MB");
        long elements = sizeBytes / TENSORS / Float.BYTES;
        var tensors = new ArrayList<NamedTensor>();
        for (int i = 0; i < TENSORS; i++) {
            tensors.add(new NamedTensor("layer%d.weight".formatted(i), ElementType.FLOAT32, List.of(elements)));
        }
        try (Arena arena = Arena.ofConfined();
                TensorFileWriter writer =
                        TensorFormat.SAFETENSORS.create(file, tensors, new TreeMap<>(Map.of("format", "pt")))) {
            MemorySegment piece = arena.allocate(PIECE_BYTES, 64);
            var random = new Random(1);
            for (long i = 0; i < PIECE_BYTES / Float.BYTES; i++) {
                piece.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (0.05 * random.nextGaussian()));
            }
            for (NamedTensor tensor : writer.order()) {
                for (long at = 0; at < tensor.sizeBytes(); at += PIECE_BYTES) {
                    writer.write(piece.asSlice(0, Math.min(PIECE_BYTES, tensor.sizeBytes() - at)));
                }
            }
            writer.finish();
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            Folders.delete(path);
        }
    }

    @Override
    public double memcpyBytesPerSecond() {
        return Memcpy.bytesPerSecond();
    }

    @Override
    public String note() {
        return "a state of %d MB; each command a process with %s; the file that was exported is the one imported, bit for bit (docs/BENCH.md)"
                .formatted(sizeBytes / 1_000_000, String.join(" ", CommandProcess.MEMORY));
    }
}
