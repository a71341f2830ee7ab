package dev.cairn.app;

import dev.cairn.codec.Crc32c;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.log.RecordFormat;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run of as many checkpoints as one likes, made in seconds: a chain of another run over and over, under new numbers,
/// ids and steps. Every file of it verifies.
public final class ManyCheckpoints {
    private static final int ID_OFFSET = 16;
    private static final int CHECKSUM_OFFSET = 24;

    private ManyCheckpoints() {}

    public static void make(Path folder, SmallRun pattern, int count) throws IOException {
        Files.createDirectories(folder.resolve("log"));
        Files.createDirectories(folder.resolve("segments"));
        var store = new CheckpointStore(new LocalBlobStore(pattern.folder()));
        var chain = new ArrayList<Manifest>();
        var segments = new ArrayList<byte[]>();
        for (Commit checkpoint : pattern.checkpoints()) {
            segments.add(Files.readAllBytes(pattern.segment(chain.size())));
            chain.add(store.manifest(checkpoint));
        }
        Map<String, String> ids = new HashMap<>();
        for (int number = 1; number <= count; number++) {
            int place = (number - 1) % chain.size();
            Commit original = chain.get(place).checkpoint();
            long id = number * 0x9e3779b97f4a7c15L;
            ids.put(original.id(), HexFormat.of().toHexDigits(id));
            SegmentRef stored = original.segments().getFirst();
            var segment = new SegmentRef(
                    new SegmentName(number, "many", id).file(),
                    id,
                    stored.layout(),
                    stored.indexCrc(),
                    stored.digest());
            var copy = new Commit(
                    number,
                    HexFormat.of().toHexDigits(id),
                    10L * number,
                    original.time(),
                    parent(original.parent(), ids),
                    original.codec(),
                    original.digest(),
                    0,
                    original.fullBytes(),
                    original.attributes(),
                    List.of(segment));
            Files.write(folder.resolve(segment.name()), renamed(segments.get(place), id));
            Files.write(
                    folder.resolve(RunFiles.record(number)),
                    RecordFormat.write(new Manifest(copy, chain.get(place).tensors())));
        }
    }

    private static @Nullable Parent parent(@Nullable Parent original, Map<String, String> ids) {
        return original == null ? null : new Parent(ids.getOrDefault(original.id(), original.id()), original.digest());
    }

    private static byte[] renamed(byte[] segment, long id) {
        byte[] copy = segment.clone();
        ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(ID_OFFSET, id);
        bytes.putInt(CHECKSUM_OFFSET, Crc32c.of(copy, 0, CHECKSUM_OFFSET));
        return copy;
    }
}
