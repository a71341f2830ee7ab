package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CaptureMode;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever the library takes can be restored, listed, shown, verified, and exported to every format that can
/// hold it; what it refuses, it refuses in one line before anything is written, and so does a format what it
/// cannot hold. Names, attributes, shapes and steps are drawn at random, odd ones more often than people would.
class AcceptedStatesTest {
    private static final int STATES = 10;

    private static final List<String> ODD_NAMES = List.of(
            "",
            "/",
            "..",
            "../x",
            "a/b",
            ".",
            " ",
            "a\\b",
            "\"tensors\":[",
            "'",
            "\0",
            "\n",
            "\u001b[31m",
            "\u202e",
            "__metadata__",
            "data.pkl",
            "w.npy",
            "cairn",
            "cairn.step",
            "ünïcödé",
            "😀",
            "\ud800",
            "\udc00x",
            "%s%n",
            "x".repeat(1024),
            "y".repeat(1025),
            "\uffff",
            "😀".repeat(512),
            "é".repeat(1024),
            "W",
            "w");

    private static final List<String> ODD_ATTRIBUTES = List.of(
            "",
            "loss",
            "accuracy",
            "epoch",
            "step",
            "bestStep",
            "rmse",
            "scoredStep",
            "evaluateEvery",
            "scoreDue",
            "cairn.errorOfState",
            "cairn.last",
            "metadata.format",
            "tensors",
            "a\nb",
            "\ud800",
            "😀",
            "x".repeat(1024),
            "x".repeat(1025),
            "\"",
            "optimizer");

    private static final List<Object> ODD_VALUES = List.of(
            Double.NaN,
            Double.NEGATIVE_INFINITY,
            -0.0,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            1e22,
            3.0,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            0L,
            true,
            "",
            "\0",
            "\ud800",
            "NaN",
            "a\r\nb",
            "]}",
            "t".repeat(1 << 20),
            "t".repeat((1 << 20) + 1),
            Bytes.of(new byte[0]),
            Bytes.of(new byte[] {-1, 0, 1}),
            List.of(),
            List.of(1L, 0.5, "a", true, Bytes.of(new byte[] {7}), List.of(List.of())),
            Map.of(),
            Map.of("map", Map.of("map", Map.of()), "bytes", "aGVsbG8="),
            Map.of("bytes", "aGVsbG8="),
            Map.of("groups", List.of(Map.of("lr", 0.1, "params", List.of(0L, 1L)))));

    private static final Set<ElementType> NOT_OF_NUMPY = Set.of(
            ElementType.BFLOAT16,
            ElementType.FLOAT8_E4M3FN,
            ElementType.FLOAT8_E5M2,
            ElementType.FLOAT8_E4M3FNUZ,
            ElementType.FLOAT8_E5M2FNUZ,
            ElementType.FLOAT8_E8M0FNU);

    private static final Set<ElementType> NOT_OF_TENSORFLOW =
            Set.of(ElementType.FLOAT8_E4M3FNUZ, ElementType.FLOAT8_E5M2FNUZ, ElementType.FLOAT8_E8M0FNU);

    private static final List<Long> ODD_STEPS = List.of(0L, 1L, 1L << 53, Long.MAX_VALUE, -1L, Long.MIN_VALUE);

    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsAcceptedReadsBack(long seed) throws IOException {
        var random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < STATES; i++) {
            Path run = folder.resolve("run" + i);
            if (saves(run, random, "seed %d, state %d".formatted(seed, i))) {
                accepted++;
            }
        }
        assertThat(accepted).as("enough to say something").isGreaterThan(STATES / 4);
    }

    /// Whether the state was taken.
    private boolean saves(Path run, Random random, String which) throws IOException {
        events.clear();
        long step = random.nextInt(3) == 0 ? pick(ODD_STEPS, random) : random.nextInt(1000);
        Drawn drawn;
        try {
            drawn = Drawn.next(random);
        } catch (IllegalArgumentException refused) {
            isOneLine(which, refused);
            return false;
        }
        CheckpointOptions options = CheckpointOptions.defaults()
                .withCodec(Codec.parse(random.nextBoolean() ? "lossless" : "lossy"))
                .withCapture(random.nextBoolean() ? CaptureMode.COPY : CaptureMode.FUSED)
                .withListener(events::add);
        Optional<Long> good = Optional.empty();
        boolean taken = false;
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            if (random.nextBoolean()) {
                checkpoints.saveNow(0, drawn);
                good = Optional.of(0L);
            }
            List<Path> before = files(run);
            try {
                checkpoints.saveNow(step, drawn);
                taken = true;
            } catch (IllegalArgumentException refused) {
                isOneLine(which, refused);
                assertThat(files(run)).as(which).isEqualTo(before);
            }
        } catch (IllegalArgumentException refused) {
            isOneLine(which, refused);
        }
        assertThat(events).as(which).noneMatch(CheckpointEvent.SaveFailed.class::isInstance);
        if (taken) {
            good = Optional.of(step);
        }
        if (good.isPresent()) {
            restores(run, drawn, good.get(), options, which);
            isListed(run, good.get(), which);
            isExported(run, drawn, which);
        }
        return taken;
    }

    private void restores(Path run, Drawn drawn, long step, CheckpointOptions options, String which)
            throws IOException {
        Drawn again = drawn.empty();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            Checkpoint checkpoint = checkpoints.restoreLatest(again).orElseThrow();
            assertThat(checkpoint.step()).as(which).isEqualTo(step);
        }
        for (int i = 0; i < drawn.tensors.size(); i++) {
            assertThat(again.tensors
                            .get(i)
                            .memory()
                            .mismatch(drawn.tensors.get(i).memory()))
                    .as("%s, tensor %d", which, i)
                    .isEqualTo(-1);
        }
        assertThat(withoutOurs(again.restored)).as(which).isEqualTo(withoutOurs(drawn.attributes));
    }

    private static Map<String, @Nullable Object> withoutOurs(Attributes attributes) {
        return attributes.without("cairn.").asMap();
    }

    private static void isListed(Path run, long step, String which) {
        for (List<String> command : List.of(List.of("ls"), List.of("show"), List.of("verify"), List.of("diff"))) {
            var words = new ArrayList<>(command);
            words.add(run.toString());
            if (command.getFirst().equals("diff")) {
                words.set(1, run + "@latest");
                words.add(run + "@latest");
            }
            Cli text = Cli.run(words.toArray(String[]::new));
            assertThat(text.code()).as("%s: %s: %s", which, words, text.err()).isZero();
            words.add("--json");
            Cli json = Cli.run(words.toArray(String[]::new));
            assertThat(json.code()).as("%s: %s: %s", which, words, json.err()).isZero();
            ObjectNode document = json.json();
            if (command.getFirst().equals("show")) {
                assertThat(document.path("step").longValue()).as(which).isEqualTo(step);
            }
        }
    }

    private void isExported(Path run, Drawn drawn, String which) throws IOException {
        for (TensorFormat format : TensorFormat.values()) {
            Path file = run.resolveSibling(run.getFileName() + format.endings().getFirst());
            Cli cli = Cli.run("export", run.toString(), file.toString(), "--all", "--format", format.label());
            List<String> refusals = refusals(format, drawn);
            if (!refusals.isEmpty()) {
                isRefused(cli, refusals, "%s as %s".formatted(which, format));
                assertThat(format.files(file)).as(which).noneMatch(Files::exists);
                continue;
            }
            assertThat(cli.code()).as("%s as %s: %s", which, format, cli.err()).isZero();
            isImported(run, file, format, "%s as %s".formatted(which, format));
        }
    }

    private static void isRefused(Cli cli, List<String> refusals, String which) {
        assertThat(cli.code()).as(which).isNotZero();
        assertThat(cli.errorLines()).as("%s: %s", which, cli.err()).hasSize(1);
        assertThat(cli.err().lines()).as("%s: %s", which, cli.err()).hasSize(1);
        assertThat(refusals).as("%s: %s", which, cli.err()).anyMatch(cli.err()::contains);
    }

    /// Why this format cannot hold the state, in words of the line that says so; any of them, where there are several.
    private static List<String> refusals(TensorFormat format, Drawn drawn) {
        if (drawn.tensors.isEmpty()) {
            return List.of("has no tensors to export");
        }
        var refusals = new ArrayList<String>();
        for (LiveTensor tensor : drawn.tensors) {
            TensorSpec spec = tensor.spec();
            boolean isKept = spec.name().equals("__metadata__");
            switch (format) {
                case SAFETENSORS -> refuse(refusals, isKept, "has the name that safetensors reserves for metadata");
                case PT -> refuse(refusals, isKept, "has the name that Cairn reserves for metadata");
                case NPZ -> {
                    refuse(refusals, spec.shape().size() > 32, "dimensions, but npz allows 32");
                    refuse(refusals, NOT_OF_NUMPY.contains(spec.type()), "which NumPy does not know");
                    refuse(refusals, isUnsafe(spec.name()), "has a name that is not allowed in a zip file");
                }
                case BUNDLE -> {
                    refuse(refusals, isKept, "has the name that Cairn reserves for metadata");
                    refuse(refusals, NOT_OF_TENSORFLOW.contains(spec.type()), "which TensorFlow does not have");
                    refuse(refusals, spec.name().startsWith("\0"), "has a name that TensorFlow reserves for itself");
                }
            }
        }
        return refusals;
    }

    private static void refuse(List<String> refusals, boolean isSo, String words) {
        if (isSo) {
            refusals.add(words);
        }
    }

    /// Whether an archive's entry of this name would be unpacked elsewhere, or as something else.
    private static boolean isUnsafe(String name) {
        return name.startsWith("/") || name.contains("\\") || name.contains("\0") || name.matches("(.*/)?\\.\\.(/.*)?");
    }

    /// What was exported becomes a checkpoint of the same tensors again.
    private static void isImported(Path run, Path file, TensorFormat format, String which) {
        String imported = file + ".run";
        Cli cli = Cli.run("import", file.toString(), imported, "--format", format.label());
        assertThat(cli.code()).as("%s: %s", which, cli.err()).isZero();
        Cli same = Cli.run("diff", run.toString(), imported, "--exit-code");
        assertThat(same.code()).as("%s: %s%s", which, same.out(), same.err()).isZero();
    }

    private static void isOneLine(String which, RuntimeException refused) {
        assertThat(refused.getMessage()).as(which).isNotBlank();
        assertThat(String.valueOf(refused.getMessage()).lines()).as(which).hasSize(1);
    }

    private static List<Path> files(Path run) throws IOException {
        try (Stream<Path> all = Files.walk(run)) {
            return all.sorted().toList();
        }
    }

    private static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    /// A state drawn at random.
    private static final class Drawn implements TrainingState {
        final List<LiveTensor> tensors = new ArrayList<>();
        Attributes attributes = Attributes.empty();
        Attributes restored = Attributes.empty();

        static Drawn next(Random random) {
            var drawn = new Drawn();
            for (int i = random.nextInt(5); i > 0; i--) {
                String name = random.nextInt(3) == 0 ? pick(ODD_NAMES, random) : "tensor" + random.nextInt(50);
                var shape = new ArrayList<Long>();
                for (int rank = random.nextInt(8) == 0 ? random.nextInt(70) : random.nextInt(4); rank > 0; rank--) {
                    shape.add(shape.size() > 4 ? 1L : random.nextInt(8) == 0 ? 0L : 1L + random.nextInt(9));
                }
                var spec = new TensorSpec(
                        name, pick(List.of(ElementType.values()), random), shape, pick(List.of(Role.values()), random));
                byte[] values = new byte[(int) spec.sizeBytes()];
                random.nextBytes(values);
                drawn.tensors.add(new LiveTensor(spec, MemorySegment.ofArray(values)));
            }
            var values = new TreeMap<String, @Nullable Object>();
            for (int i = random.nextInt(5); i > 0; i--) {
                values.put(
                        random.nextBoolean() ? pick(ODD_ATTRIBUTES, random) : "attribute" + i,
                        switch (random.nextInt(5)) {
                            case 0 -> null;
                            case 1, 2 -> random.nextDouble();
                            default -> pick(ODD_VALUES, random);
                        });
            }
            drawn.attributes = Attributes.of(values);
            return drawn;
        }

        /// The same tensors, of other values.
        Drawn empty() {
            var empty = new Drawn();
            for (LiveTensor tensor : tensors) {
                empty.tensors.add(new LiveTensor(
                        tensor.spec(),
                        MemorySegment.ofArray(new byte[(int) tensor.memory().byteSize()])));
            }
            return empty;
        }

        @Override
        public List<LiveTensor> tensors() {
            return tensors;
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }

        @Override
        public void restored(long step, Attributes values) {
            restored = values;
        }
    }
}
