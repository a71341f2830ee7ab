package dev.cairn.app;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.files.HalfMade;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.store.Role;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/// Runs the short commands once after a build, on a temporary run in the given folder, while the JVM records what they
/// use. The launcher starts it. Later starts find their classes loaded and their hot code known.
final class Rehearsal {
    private static final int SAVES = 24;
    private static final int LISTINGS = 20;
    private static final int TRANSFERS = 3;

    /// Enough for loops over elements to become hot, and for a file that is partly written bypassing the system's
    /// cache.
    private static final int MANY_ELEMENTS = 5 << 20;

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        // The JVM cannot record a module that is added at run time.
        System.setProperty("cairn.scalar", "true");
        Path folder = Files.createTempDirectory(Path.of(arguments[0]), "rehearsal");
        try (var _ = new HalfMade(folder)) {
            Path run = folder.resolve("run");
            save(run, Codec.parse("lossy"), 1 << 12, SAVES);
            play("--help");
            for (int i = 0; i < LISTINGS; i++) {
                play("ls", run.toString());
                play("show", run.toString());
            }
            play("ls", run.toString(), "--json");
            play("verify", run.toString());
            Path large = folder.resolve("large");
            save(large, Codec.parse("lossless"), MANY_ELEMENTS, 1);
            for (TensorFormat format : TensorFormat.values()) {
                for (int i = 0; i < TRANSFERS; i++) {
                    transfer(large, format, Files.createDirectory(folder.resolve("transfer")));
                }
            }
        }
    }

    /// Exports and imports the run, and deletes the files: all transfers together would take half a gigabyte of
    /// disk.
    private static void transfer(Path run, TensorFormat format, Path folder) throws IOException {
        try (var _ = new HalfMade(folder)) {
            Path file = folder.resolve("file" + format.endings().getFirst());
            play("export", run.toString(), file.toString());
            play("import", file.toString(), folder.resolve("run").toString());
        }
    }

    private static void save(Path run, Codec codec, int elements, int saves) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment weights = arena.allocate(ValueLayout.JAVA_FLOAT, elements);
            var random = new Random(1);
            for (int i = 0; i < elements; i++) {
                weights.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
            }
            TrainingState state =
                    TrainingState.of(LiveTensor.of("weight", Role.WEIGHT, ElementType.FLOAT32, weights, elements));
            CheckpointOptions options = CheckpointOptions.defaults()
                    .withCodec(codec)
                    .withPolicy(new SavePolicy.EverySteps(1))
                    .withRetention(Retention.parse("all"))
                    .withoutLog();
            try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
                for (int step = 1; step <= saves; step++) {
                    weights.setAtIndex(ValueLayout.JAVA_FLOAT, step, step);
                    checkpoints.saveNow(step, state);
                }
            }
        }
    }

    private static void play(String... command) {
        var nowhere = new PrintWriter(Writer.nullWriter());
        if (Main.run(nowhere, nowhere, command) != ExitCode.DONE) {
            throw new IllegalStateException("failed: cairn " + String.join(" ", command));
        }
    }
}
