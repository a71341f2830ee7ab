package dev.cairn.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import dev.cairn.app.run.NewRun;
import dev.cairn.codec.ElementType;
import dev.cairn.disk.Folders;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterLock;
import dev.cairn.store.right.WriterRight;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(SmallRun.checkpoints(run)).hasSize(1);
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
                    .hasMessageContaining("created by another program in the meantime");
        }
        assertWhole();
    }

    /// A training may have made the folder and saved nothing yet.
    @Test
    void aFolderThatAnotherHoldsIsLeftAlone() throws IOException {
        Files.createDirectory(run);
        try (var _ = WriterLock.take(run, Instant.now())) {
            Cli refused = importRun();
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err()).contains("in use");
            try (Stream<Path> files = Files.list(run)) {
                assertThat(files).containsExactly(run.resolve("writer.lock"));
            }
        }
        assertThat(importRun().code()).isZero();
        assertWhole();
    }

    @Test
    void checkpointsThatCameWhileItWaitedForTheRunAreRefused() throws Exception {
        Files.createDirectory(run);
        var claim = WriterClaim.usual().withLocking(WriterClaim.Locking.LEASE).withTtl(Duration.ofSeconds(10));
        var late = new FutureTask<>(() -> importRun("--lease"));
        try (WriterRight holder = WriterRight.take(run, claim)) {
            Thread waiting = Thread.ofPlatform().start(late);
            Eventually.holds("the import waits", () -> {
                assertThat(late.isDone()).isFalse();
                return waiting.getState() == Thread.State.TIMED_WAITING;
            });
            Path elsewhere = folder.resolve("elsewhere");
            assertThat(Cli.run("import", file.toString(), elsewhere.toString()).code())
                    .isZero();
            for (String part : List.of("segments", "log")) {
                Files.move(elsewhere.resolve(part), run.resolve(part));
            }
            Folders.delete(elsewhere);
            holder.check();
        }
        assertThat(late.get().code()).isEqualTo(2);
        assertThat(late.get().err()).contains("already has checkpoints");
        assertWhole();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"writer.lock", "segments/0000000001-import-00112233445566aa.seg", "lease/.tmp-1", "log/.tmp-1"})
    void whatAKilledWriterLeftIsTakenAndCleared(String left) throws IOException {
        for (String name : List.of("writer.lock", left)) {
            Path there = run.resolve(name);
            Files.createDirectories(there.getParent());
            Files.writeString(there, "half");
        }
        Cli imported = importRun();
        assertThat(imported.code()).as(imported.err()).isZero();
        assertWhole();
        try (Stream<Path> segments = Files.list(run.resolve("segments"))) {
            assertThat(segments).hasSize(1);
        }
        assertThat(left.equals("writer.lock") || Files.notExists(run.resolve(left)))
                .isTrue();
    }

    @Test
    void aFolderWithAnythingElseIsRefusedAsItIs() throws IOException {
        Files.createDirectory(run);
        Files.writeString(run.resolve("writer.lock"), "");
        Files.writeString(run.resolve("thesis.tex"), "text");
        Cli refused = importRun();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("exists and is not a run");
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
