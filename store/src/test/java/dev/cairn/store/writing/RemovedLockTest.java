package dev.cairn.store.writing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.Samples;
import dev.cairn.store.blob.HookedBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.CommitLog;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterRight;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Somebody removes `writer.lock` under a live writer, and another process takes the run: the first commits no more,
/// wherever it was stopped, and the run stays whole.
class RemovedLockTest {
    private static Other other;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        other = new Other();
    }

    @AfterAll
    static void stop() throws IOException {
        other.process.close();
    }

    /// What becomes of the lock file.
    enum Event {
        REMOVED,
        /// By a copy of itself, as a backup that is put back does.
        REPLACED
    }

    /// The first writer is stopped before each of its operations in turn, while the other opens the run, and goes on
    /// while the other has it open.
    @ParameterizedTest
    @EnumSource(Event.class)
    void noRecordLandsWithoutItsSegment(Event event) throws IOException {
        boolean reachedTheEnd = false;
        for (int stopAt = 1; !reachedTheEnd; stopAt++) {
            Path run = Files.createDirectory(folder.resolve("run-" + stopAt));
            reachedTheEnd = !stoppedAt(stopAt, run, event);
        }
        assertThat(folder.toFile().list()).as("places to stop at").hasSizeGreaterThan(10);
    }

    private static boolean stoppedAt(int stopAt, Path run, Event event) throws IOException {
        var blobs = new LocalBlobStore(run);
        var good = new CheckpointStore(blobs);
        try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
            Samples.commit(CheckpointWriter.open(good, right), 1);
            assertThat(right.takeOver()).isEmpty();
            boolean[] opened = {false};
            var hooked = new CheckpointStore(new HookedBlobStore(blobs, stopAt, () -> {
                lose(run.resolve("writer.lock"), event);
                assertThat(other.ask("open " + run)).isEqualTo("open");
                opened[0] = true;
            }));
            long promised = 1;
            CheckpointWriter first = null;
            try {
                first = CheckpointWriter.open(hooked, right);
                promised = Samples.commit(first, 2).step();
            } catch (CommitConflictException stopped) {
                assertThat(opened[0]).isTrue();
            }
            if (!opened[0]) {
                return false;
            }
            check(good, promised, 2); // A commit may stand and be the last.
            if (first != null) {
                CheckpointWriter late = first;
                assertThatThrownBy(() -> Samples.commit(late, 3)).isInstanceOf(CommitConflictException.class);
                late.removeNeedless();
            }
            assertThat(other.ask("commit 4")).isEqualTo("committed");
            check(good, 4, 4);
            assertThat(other.ask("close")).isEqualTo("closed");
        }
        return true;
    }

    private static void lose(Path lock, Event event) throws IOException {
        switch (event) {
            case REMOVED -> Files.delete(lock);
            case REPLACED -> {
                Path copy = Files.copy(lock, lock.resolveSibling("copy.lock"));
                Files.move(copy, lock, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static void check(CheckpointStore store, long least, long most) throws IOException {
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, c -> {})
                        .damaged())
                .isEmpty();
        Entry last = store.currentEntries().getLast();
        assertThat(last).isInstanceOf(Entry.Intact.class);
        assertThat(((Entry.Intact) last).checkpoint().step()).isBetween(least, most);
    }

    @Test
    void theFirstStopsWithOneLineBeforeItCommits() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
            CheckpointWriter writer = CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), right);
            Samples.commit(writer, 1);
            Files.delete(run.resolve("writer.lock"));
            assertThatThrownBy(() -> Samples.commit(writer, 2))
                    .isInstanceOf(CommitConflictException.class)
                    .hasMessageContaining("writer.lock was removed or replaced")
                    .hasMessageNotContaining("\n");
            assertThat(right.isLost()).isTrue();
            assertThatThrownBy(writer::failIfOvertaken).isInstanceOf(CommitConflictException.class);
        }
    }

    /// A log does not grow with restarts: only who finds no lock file of this run takes it over by a record.
    @Test
    void aLockFileThatIsThereSinceTheLastRecordNeedsNoRecord() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        var store = new CheckpointStore(new LocalBlobStore(run));
        for (int start = 1; start <= 3; start++) {
            try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
                Samples.commit(CheckpointWriter.open(store, right), start);
            }
        }
        assertThat(Files.readString(run.resolve("writer.lock"))).startsWith("process ");
        assertThat(store.history().lastNumber()).isEqualTo(3);
        Files.delete(run.resolve("writer.lock"));
        for (int start = 1; start <= 2; start++) {
            try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
                CheckpointWriter.open(store, right);
            }
            assertThat(store.history().lastNumber()).isEqualTo(4);
        }
        assertThat(new CommitLog(new LocalBlobStore(run)).read(4)).isInstanceOf(TakenOver.class);
    }

    /// Before the first record there is none that could say it: the first one does.
    @Test
    void inANewRunTheFirstRecordSaysWhoHasIt() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        var store = new CheckpointStore(new LocalBlobStore(run));
        try (WriterRight right = WriterRight.take(run, WriterClaim.usual())) {
            CheckpointWriter first = CheckpointWriter.open(store, right);
            Files.delete(run.resolve("writer.lock"));
            assertThat(other.ask("open " + run)).isEqualTo("open");
            assertThat(other.ask("commit 1")).isEqualTo("committed");
            assertThatThrownBy(() -> Samples.commit(first, 1)).isInstanceOf(CommitConflictException.class);
            assertThat(other.ask("close")).isEqualTo("closed");
        }
        assertThat(store.history().lastNumber()).isEqualTo(1);
        check(store, 1, 1);
    }

    /// Another process, that does what it is told line by line.
    static final class Other {
        private final ChildProcess process;

        Other() throws IOException {
            process = Command.java(List.of("--add-modules=jdk.incubator.vector"), Other.class)
                    .start();
        }

        String ask(String order) {
            process.tell(order);
            return process.nextLine().orElse("ended");
        }

        public static void main(String[] args) throws IOException {
            var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            WriterRight right = null;
            CheckpointWriter writer = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                try {
                    switch (words[0]) {
                        case "open" -> {
                            Path run = Path.of(words[1]);
                            right = WriterRight.take(run, WriterClaim.usual());
                            writer = CheckpointWriter.open(new CheckpointStore(new LocalBlobStore(run)), right);
                            System.out.println("open");
                        }
                        case "commit" -> {
                            Samples.commit(Objects.requireNonNull(writer), Long.parseLong(words[1]));
                            System.out.println("committed");
                        }
                        default -> {
                            Objects.requireNonNull(right).close();
                            System.out.println("closed");
                        }
                    }
                } catch (IOException e) {
                    System.out.println(Instant.now() + " " + e);
                }
            }
        }
    }
}
