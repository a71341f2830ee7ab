package dev.cairn.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.transfer.Export;
import dev.cairn.transfer.Import;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A tensor of more than 4 GiB through every format: no array, buffer or field of a zip file limits it. Takes 13 GB
/// of disk.
@Tag("soak")
@Timeout(1800)
class LargeTransferTest {
    private static final long BYTES = (4L << 30) + 12_345;

    @TempDir
    Path folder;

    @Test
    void aTensorBeyondFourGibibytesGoesThroughEveryFormatAndBack() throws IOException {
        Path first = folder.resolve("first.safetensors");
        write(first);
        Path file = first;
        for (TensorFormat format :
                List.of(TensorFormat.NPZ, TensorFormat.PT, TensorFormat.BUNDLE, TensorFormat.SAFETENSORS)) {
            Path run = folder.resolve("run-" + format.label());
            Path next = folder.resolve("next" + format.endings().getFirst());
            var store = new CheckpointStore(new LocalBlobStore(Files.createDirectory(run)));
            Commit checkpoint;
            try (TensorFile source = TensorFormat.ofFile(file).orElseThrow().open(file)) {
                checkpoint = new Import(source, "file", OptionalLong.empty())
                        .commit(CheckpointWriter.open(store, () -> {}), Instant.EPOCH, _ -> {});
            }
            if (!file.equals(first)) {
                for (Path part : TensorFormat.ofFile(file).orElseThrow().files(file)) {
                    Files.delete(part);
                }
            }
            new Export(store, store.manifest(checkpoint), Export.Scope.MODEL).write(format, next, _ -> {});
            file = next;
        }
        assertThat(Files.mismatch(first, file)).isEqualTo(-1);
    }

    /// Mostly zeros, which the store keeps in little, and every 64 KiB the place.
    private static void write(Path file) throws IOException {
        var large = new NamedTensor("large", ElementType.UINT8, List.of(BYTES));
        var after = new NamedTensor("after it", ElementType.UINT8, List.of(8L));
        var metadata = new TreeMap<>(Map.of("format", "pt"));
        MemorySegment piece = MemorySegment.ofArray(new byte[1 << 16]);
        try (TensorFileWriter writer = TensorFormat.SAFETENSORS.create(file, List.of(large, after), metadata)) {
            for (long at = 0; at < BYTES; at += piece.byteSize()) {
                piece.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, at);
                writer.write(piece.asSlice(0, Math.min(piece.byteSize(), BYTES - at)));
            }
            writer.write(piece.asSlice(0, 8));
            writer.finish();
        }
    }
}
