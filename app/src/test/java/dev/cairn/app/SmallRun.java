package dev.cairn.app;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Damage;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// A run of a few kilobytes, made without an engine: weights that drift, moments and a counter.
public record SmallRun(Path folder) {
    private static final int SIZE = 3000;

    /// Saves steps 10, 20, … of a training; runs of one seed have the same values.
    public static SmallRun train(Path folder, String codec, int saves, long seed) throws IOException {
        return train(folder, codec, saves, seed, "all");
    }

    /// The same, keeping what this says.
    public static SmallRun train(Path folder, String codec, int saves, long seed, String keep) throws IOException {
        MemorySegment weights = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, SIZE);
        MemorySegment moments = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, SIZE);
        MemorySegment counter = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        TrainingState state = TrainingState.of(
                LiveTensor.of("layer.weight", Role.WEIGHT, ElementType.FLOAT32, weights, 60, SIZE / 60),
                LiveTensor.of("layer.moment", Role.FIRST_MOMENT, ElementType.FLOAT32, moments, SIZE),
                LiveTensor.of("counter", Role.CURSOR, ElementType.INT64, counter));
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(10))
                .withCodec(Codec.parse(codec))
                .withRetention(Retention.parse(keep))
                .withoutLog();
        var random = new Random(seed);
        try (Checkpoints checkpoints = Checkpoints.open(folder, options)) {
            long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElse(0L);
            for (int save = 0; save < saves; save++) {
                step += 10;
                drift(weights, random);
                drift(moments, random);
                counter.set(ValueLayout.JAVA_LONG, 0, step);
                checkpoints.afterStep(step, state);
                checkpoints.awaitHousekeeping();
            }
        }
        return new SmallRun(folder);
    }

    private static void drift(MemorySegment values, Random random) {
        for (int i = 0; i < SIZE; i++) {
            float before = values.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            values.setAtIndex(ValueLayout.JAVA_FLOAT, i, before + (float) random.nextGaussian(0, 0.1));
        }
    }

    /// Oldest first.
    public List<Commit> checkpoints() throws IOException {
        return checkpoints(folder);
    }

    /// Those of the run in this folder, oldest first.
    public static List<Commit> checkpoints(Path folder) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder)).history().currentCheckpoints();
    }

    public Path segment(int index) throws IOException {
        return folder.resolve(checkpoints().get(index).segments().getFirst().name());
    }

    public Path record(int index) throws IOException {
        return folder.resolve("log/%010d.rec".formatted(checkpoints().get(index).number()));
    }

    /// Flips a bit in the middle of a file, so that nothing heals it: in a record and in its twin.
    public static void damage(Path file) throws IOException {
        if (file.toString().endsWith(".seg")) {
            Damage.inTheMiddle(file);
            return;
        }
        if (file.toString().endsWith(".rec")) {
            damage(Path.of(file.toString().replace(".rec", ".twin")));
        }
        try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long middle = bytes.length() / 2;
            bytes.seek(middle);
            int value = bytes.read();
            bytes.seek(middle);
            bytes.write(value ^ 4);
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
