package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.NamedTensor;
import dev.cairn.formats.TensorFileWriter;
import dev.cairn.formats.TensorFormat;
import dev.cairn.store.WriterLock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Imports beside other writers, and after writers that were killed.
class ImportCommandTest {
    @TempDir
    Path folder;

    private Path file;
    private Path run;

    @BeforeEach
    void writeAFile() throws IOException {
        file = folder.resolve("a.safetensors");
        run = folder.resolve("run");
        var tensor = new NamedTensor("w", ElementType.FLOAT32, List.of(30_000L));
        try (TensorFileWriter writer = TensorFormat.SAFETENSORS.create(file, List.of(tensor), new TreeMap<>())) {
            writer.write(MemorySegment.ofArray(new byte[(int) tensor.sizeBytes()]));
            writer.finish();
        }
    }

    private Cli importRun(String... options) {
        return Cli.run(Stream.concat(Stream.of("import", file.toString(), run.toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private void assertWhole() throws IOException {
        assertThat(RunFolder.checkpoints(run)).hasSize(1);
        assertThat(Cli.run("verify", run.toString()).code()).isZero();
        assertThat(names()).containsExactly("a.safetensors", "run");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void ofTwoAtOnceOneHasTheFolderAndTheOtherLeavesItAlone() throws Exception {
        for (int pair = 0; pair < 8; pair++) {
            var start = new CyclicBarrier(2);
            var other = new FutureTask<>(() -> {
                start.await();
                return importRun().code();
            });
            Thread.ofPlatform().start(other);
            start.await();
            List<Integer> codes =
                    Stream.of(importRun().code(), other.get()).sorted().toList();
            assertThat(codes.getFirst()).isZero();
            assertThat(codes.getLast()).isBetween(1, 2);
            assertWhole();
            Folders.delete(run);
        }
    }

    @Test
    void aPlaceThatIsTakenMeanwhileIsLeftAlone() throws IOException {
        try (NewRun late = NewRun.at(run)) {
            Files.writeString(late.folder().resolve("late"), "late");
            assertThat(importRun().code()).isZero();
            assertThatThrownBy(late::appear)
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("made by somebody else meanwhile");
        }
        assertWhole();
    }

    @Test
    void aFolderWithAnythingElseIsRefusedAsItIs() throws IOException {
        Files.createDirectory(run);
        Files.writeString(run.resolve("writer.lock"), "");
        Files.writeString(run.resolve("thesis.tex"), "text");
        Cli refused = importRun();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("is there and is no run");
        try (Stream<Path> files = Files.list(run)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void whatKilledImportsLeftBesideTheRunIsClearedByTheNext() throws IOException {
        Path left = Files.createDirectories(folder.resolve(".run.0badcafe.part"));
        Files.writeString(left.resolve("writer.lock"), "");
        Path live = Files.createDirectories(folder.resolve(".run.0badbeef.part"));
        try (var _ = WriterLock.take(live, Instant.now())) {
            assertThat(Cli.run("ls", folder.toString()).out()).doesNotContain(".part");
            assertThat(importRun().code()).isZero();
            assertThat(names()).containsExactly(".run.0badbeef.part", "a.safetensors", "run");
        }
        Folders.delete(live);
        assertWhole();
    }
}
