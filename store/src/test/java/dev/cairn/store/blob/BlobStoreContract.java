package dev.cairn.store.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The laws of [BlobStore]; every implementation runs them.
public abstract class BlobStoreContract {
    /// The storage to be tested; the same each time within a test.
    protected abstract BlobStore store() throws IOException;

    @Test
    void readsBackWhatWasCreated() throws IOException {
        store().createIfAbsent("log/1", "hello".getBytes(UTF_8));
        assertThat(text("log/1", 0, 5)).isEqualTo("hello");
        assertThat(text("log/1", 1, 3)).isEqualTo("ell");
    }

    @Test
    void neverReplacesWhatExists() throws IOException {
        store().createIfAbsent("log/1", "first".getBytes(UTF_8));
        assertThatThrownBy(() -> store().createIfAbsent("log/1", "other".getBytes(UTF_8)))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> store().write("log/1")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(text("log/1", 0, 5)).isEqualTo("first");
    }

    @Test
    void ofManyRacersExactlyOneCreates() throws Exception {
        BlobStore store = store();
        int racers = 8;
        var start = new CyclicBarrier(racers);
        try (var threads = Executors.newFixedThreadPool(racers)) {
            for (int round = 0; round < 20; round++) {
                String name = "log/" + round;
                var attempts = new ArrayList<Callable<Boolean>>();
                for (int racer = 0; racer < racers; racer++) {
                    byte[] content = {(byte) racer};
                    attempts.add(() -> {
                        start.await();
                        try {
                            store.createIfAbsent(name, content);
                            return true;
                        } catch (FileAlreadyExistsException lost) {
                            return false;
                        }
                    });
                }
                int winners = 0;
                for (var attempt : threads.invokeAll(attempts)) {
                    winners += attempt.get() ? 1 : 0;
                }
                assertThat(winners).isEqualTo(1);
            }
        }
        assertThat(store.list("log/")).hasSize(20);
    }

    @Test
    void whereOthersDeleteABlobIsThereOrAbsentAndNothingElse() throws Exception {
        BlobStore store = store();
        try (var threads = Executors.newFixedThreadPool(3)) {
            var attempts = new ArrayList<Callable<Void>>();
            attempts.add(() -> {
                for (int round = 0; round < 200; round++) {
                    try {
                        store.createIfAbsent("log/1", new byte[] {7});
                    } catch (FileAlreadyExistsException there) {
                        // As it may be.
                    }
                }
                return null;
            });
            attempts.add(attempts.getFirst());
            attempts.add(() -> {
                for (int round = 0; round < 400; round++) {
                    try {
                        assertThat(text("log/1", 0, 1)).isEqualTo("\7");
                    } catch (NoSuchFileException absent) {
                        // As it may be.
                    }
                    store.delete("log/1");
                }
                return null;
            });
            for (var attempt : threads.invokeAll(attempts)) {
                attempt.get();
            }
        }
    }

    @Test
    void copiesAreBlobsOfTheirOwn() throws IOException {
        store().createIfAbsent("log/1", "hello".getBytes(UTF_8));
        store().copy("log/1", "kept/log/1");
        assertThatThrownBy(() -> store().copy("log/absent", "kept/log/2")).isInstanceOf(NoSuchFileException.class);
        store().createIfAbsent("log/2", "other".getBytes(UTF_8));
        assertThatThrownBy(() -> store().copy("log/2", "kept/log/1")).isInstanceOf(FileAlreadyExistsException.class);
        store().delete("log/1");
        assertThat(text("kept/log/1", 0, 5)).isEqualTo("hello");
    }

    @Test
    void renamedBlobsAreFoundUnderTheNewNameOnly() throws IOException {
        store().createIfAbsent("log/1", "hello".getBytes(UTF_8));
        store().rename("log/1", "kept/log/1");
        assertThat(text("kept/log/1", 0, 5)).isEqualTo("hello");
        assertThatThrownBy(() -> store().read("log/1")).isInstanceOf(NoSuchFileException.class);
        store().createIfAbsent("log/2", "other".getBytes(UTF_8));
        assertThatThrownBy(() -> store().rename("log/2", "kept/log/1")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(text("kept/log/1", 0, 5)).isEqualTo("hello");
        assertThat(text("log/2", 0, 5)).isEqualTo("other");
        assertThat(store().listAll()).containsExactlyInAnyOrder("kept/log/1", "log/2");
    }

    @Test
    void readsWholeBlobsUpToASize() throws IOException {
        store().createIfAbsent("log/1", "hello".getBytes(UTF_8));
        store().createIfAbsent("log/2", new byte[0]);
        assertThat(store().readAll("log/1", 5)).isEqualTo("hello".getBytes(UTF_8));
        assertThat(store().readAll("log/2", 5)).isEmpty();
        assertThatThrownBy(() -> store().readAll("log/1", 4)).isInstanceOf(DamagedException.class);
        assertThatThrownBy(() -> store().readAll("log/3", 4)).isInstanceOf(NoSuchFileException.class);
        assertThat(store().sizes("log/")).isEqualTo(Map.of("log/1", 5L, "log/2", 0L));
    }

    @Test
    void writesPieceByPiece() throws IOException {
        try (BlobWriter writer = store().write("segments/a")) {
            writer.append(MemorySegment.ofArray("ab".getBytes(UTF_8)));
            writer.append(MemorySegment.ofArray("cde".getBytes(UTF_8)));
            writer.finish();
        }
        assertThat(text("segments/a", 0, 5)).isEqualTo("abcde");
    }

    @Test
    void anUnfinishedWriterLeavesNothing() throws IOException {
        try (BlobWriter writer = store().write("segments/a")) {
            writer.append(MemorySegment.ofArray(new byte[100]));
        }
        assertThat(store().list("segments/")).isEmpty();
    }

    @Test
    void replacesAllBytesAtOnce() throws IOException {
        store().createIfAbsent("segments/a", "old bytes".getBytes(UTF_8));
        try (BlobReader open = store().read("segments/a");
                BlobWriter writer = store().replace("segments/a")) {
            assertThat(open.sizeBytes()).isEqualTo(9);
            writer.append(MemorySegment.ofArray("new".getBytes(UTF_8)));
            assertThat(text("segments/a", 0, 9)).isEqualTo("old bytes");
            writer.append(MemorySegment.ofArray("er".getBytes(UTF_8)));
            writer.finish();
        }
        assertThat(text("segments/a", 0, 5)).isEqualTo("newer");
        assertThat(store().sizes("segments/")).isEqualTo(Map.of("segments/a", 5L));
    }

    @Test
    void createsWhatItReplacesIfItIsAbsent() throws IOException {
        try (BlobWriter writer = store().replace("a.json")) {
            writer.append(MemorySegment.ofArray("new".getBytes(UTF_8)));
            writer.finish();
        }
        assertThat(text("a.json", 0, 3)).isEqualTo("new");
    }

    @Test
    void anUnfinishedReplacementChangesNothing() throws IOException {
        store().createIfAbsent("segments/a", "old".getBytes(UTF_8));
        try (BlobWriter writer = store().replace("segments/a")) {
            writer.append(MemorySegment.ofArray("new".getBytes(UTF_8)));
        }
        assertThat(text("segments/a", 0, 3)).isEqualTo("old");
        assertThat(store().listAll()).containsExactly("segments/a");
        assertThat(store().temporaries("segments/")).isEmpty();
    }

    @Test
    void readsThePresentBytesPastCaches() throws IOException {
        byte[] content = new byte[50_000];
        new Random(1).nextBytes(content);
        store().createIfAbsent("segments/a", content);
        assertThatThrownBy(() -> store().readUncached("segments/b")).isInstanceOf(NoSuchFileException.class);
        try (BlobReader reader = store().readUncached("segments/a")) {
            assertThat(reader.sizeBytes()).isEqualTo(content.length);
            for (int[] range : new int[][] {{0, 1}, {0, 50_000}, {4095, 2}, {4096, 4096}, {9_999, 34_567}}) {
                byte[] bytes = new byte[range[1]];
                reader.read(range[0], MemorySegment.ofArray(bytes));
                assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, range[0], range[0] + range[1]));
            }
            assertThatThrownBy(() -> reader.read(49_999, MemorySegment.ofArray(new byte[2])))
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void listsOnlyTheFolderAskedFor() throws IOException {
        store().createIfAbsent("log/1", new byte[1]);
        store().createIfAbsent("other/2", new byte[1]);
        assertThat(store().list("log/")).containsExactly("log/1");
        assertThat(store().list("absent/")).isEmpty();
    }

    @Test
    void deletesAndForgets() throws IOException {
        store().createIfAbsent("log/1", new byte[1]);
        store().delete("log/1");
        store().delete("log/1");
        assertThat(store().list("log/")).isEmpty();
        assertThatThrownBy(() -> store().read("log/1")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void refusesToReadBeyondTheEnd() throws IOException {
        store().createIfAbsent("log/1", new byte[10]);
        try (BlobReader reader = store().read("log/1")) {
            assertThat(reader.sizeBytes()).isEqualTo(10);
            assertThatThrownBy(() -> reader.read(5, MemorySegment.ofArray(new byte[6])))
                    .isInstanceOf(EOFException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/etc/passwd", "../up", "a/../b", "a//b", "a/", ".hidden", "a\nb", "a\\b", "ä"})
    void refusesNamesThatLeadElsewhere(String name) {
        assertThatThrownBy(() -> store().read(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store().createIfAbsent(name, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private String text(String name, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (BlobReader reader = store().read(name)) {
            reader.read(offset, MemorySegment.ofArray(bytes));
        }
        return new String(bytes, UTF_8);
    }
}
