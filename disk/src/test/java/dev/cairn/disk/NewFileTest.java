package dev.cairn.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NewFileTest {
    /// Larger than a few gathered lots, and not a multiple of the block size.
    private static final int SIZE = (21 << 20) + 12_345;

    @TempDir
    private Path folder;

    /// Direct writes from the start of the file, from the middle of a block, or never.
    @ParameterizedTest
    @CsvSource({
        "0, 8388608, 1000000",
        "5000, 8388608, 300",
        "4096, 8388608, 1",
        "2097152, 8388608, 5000000",
        "5000, 50000, 1000000",
        "99999999, 8388608, 1000"
    })
    void hasWhatWasAppended(long directFrom, int lotBytes, long syncEvery) throws IOException {
        byte[] content = bytes(SIZE, 1);
        var random = new SplittableRandom(2);
        Path path = folder.resolve("file");
        try (NewFile file = NewFile.create(path, directFrom, lotBytes, syncEvery)) {
            for (int at = 0; at < SIZE; ) {
                int length = Math.min(random.nextInt(random.nextBoolean() ? 50 : 3_000_000), SIZE - at);
                file.append(MemorySegment.ofArray(content).asSlice(at, length));
                at += length;
                assertThat(file.position()).isEqualTo(at);
            }
            file.finish();
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    /// Archive writers change headers that they wrote before, whether these bytes are on disk or still gathered.
    @ParameterizedTest
    @ValueSource(longs = {0, 5000, 99_999_999})
    void hasWhatWasChanged(long directFrom) throws IOException {
        byte[] content = bytes(SIZE, 3);
        var random = new SplittableRandom(4);
        Path path = folder.resolve("file");
        try (NewFile file = NewFile.create(path, directFrom, DirectTail.USUAL_LOT_BYTES, 1 << 20)) {
            for (int at = 0; at < SIZE; ) {
                int length = Math.min(1 + random.nextInt(500_000), SIZE - at);
                file.append(MemorySegment.ofArray(content).asSlice(at, length));
                at += length;
                byte[] changed = bytes(1 + random.nextInt(Math.min(at, 20_000)), at);
                int offset = random.nextInt(at - changed.length + 1);
                file.change(offset, changed);
                System.arraycopy(changed, 0, content, offset, changed.length);
            }
            file.finish();
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void aDiskThatRefusesInTheMidstIsWrittenByWayOfTheCache() throws IOException {
        byte[] content = bytes(SIZE, 5);
        Path path = folder.resolve("file");
        try (FileChannel cached = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                DirectTail tail = DirectTail.open(path, cached, 0, DirectTail.USUAL_LOT_BYTES)) {
            assumeTrue(tail != null, "this file system does not support direct writes");
            tail.append(MemorySegment.ofArray(content).asSlice(0, 10 << 20));
            tail.refuse();
            tail.append(MemorySegment.ofArray(content).asSlice(10 << 20));
            MemorySegment rest = tail.finish();
            cached.write(rest.asByteBuffer(), SIZE - rest.byteSize());
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void takesMemoryOfEitherKind() throws IOException {
        byte[] content = bytes(5000, 6);
        Path path = folder.resolve("file");
        try (NewFile file = NewFile.create(path, 0, DirectTail.USUAL_LOT_BYTES, 1000);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(5000);
            memory.copyFrom(MemorySegment.ofArray(content));
            file.append(memory);
            file.append(content);
            file.flush();
            file.finish();
        }
        assertThat(Files.readAllBytes(path))
                .startsWith(content)
                .endsWith(content)
                .hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 99_999_999})
    @SuppressWarnings("try") // the file is closed twice
    void mayBeClosedAnyTime(long directFrom) throws IOException {
        Path path = folder.resolve("file");
        try (NewFile file = NewFile.create(path, directFrom, DirectTail.USUAL_LOT_BYTES, 1 << 20)) {
            file.append(bytes(5 << 20, 7));
            file.close();
        }
        assertThat(path).exists();
    }

    @Test
    void isNew() throws IOException {
        Path path = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> NewFile.create(path)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void isEmptyWithoutAppending() throws IOException {
        Path path = folder.resolve("file");
        try (NewFile file = NewFile.create(path, 0, DirectTail.USUAL_LOT_BYTES, 1000)) {
            file.finish();
        }
        assertThat(path).isEmptyFile();
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
