package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.CheckpointWriter.Description;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that only read, beside a training that saves and prunes as fast as it can.
class BusyRunTest {
    private static final TensorSpec SPEC = new TensorSpec("w", ElementType.UINT8, List.of(8L), Role.WEIGHT);

    @TempDir
    Path folder;

    /// Every value is the step; the worse, the newer: the best is the next to be removed.
    private record Constant(long step) implements TensorSource {
        @Override
        public TensorSpec spec() {
            return SPEC;
        }

        @Override
        public String codec() {
            return "raw";
        }

        @Override
        public void encode(long block, int lane, Frame frame) {
            byte[] values = new byte[8];
            Arrays.fill(values, (byte) step);
            new ExactEncoder(SPEC.type(), Basis.RAW)
                    .encode(MemorySegment.ofArray(values), MemorySegment.ofArray(new byte[8]), frame);
        }
    }

    private static void save(CheckpointWriter writer, long step) throws IOException {
        var attributes = Attributes.empty().with("loss", (double) step);
        writer.commit(
                "training",
                new Description(step, Instant.now(), null, "full", attributes),
                new Contents(List.of(new Constant(step))));
    }

    @Test
    void aHealthyRunIsNeverCalledDamaged() throws Exception {
        Path run = folder.resolve("run");
        CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), () -> {});
        save(writer, 1);
        save(writer, 2);
        var enough = new AtomicBoolean();
        var training = new FutureTask<>(() -> {
            for (long step = 3; !enough.get(); step++) {
                save(writer, step);
                writer.prune(Retention.parse("latest:2"), 1, Instant.now());
                TimeUnit.MILLISECONDS.sleep(4);
            }
            return true;
        });
        Thread.ofPlatform().start(training);
        try {
            for (int i = 0; i < 25; i++) {
                assertFine("export", run + "@best", folder.resolve(i + ".npz").toString());
                assertFine("diff", run.toString(), run + "@best");
                assertFine("show", run + "@best");
            }
        } finally {
            enough.set(true);
        }
        assertThat(training.get()).isTrue();
    }

    private static void assertFine(String... command) {
        Cli cli = Cli.run(command);
        assertThat(cli.errorLines()).isEmpty();
        assertThat(cli.code()).isZero();
    }
}
