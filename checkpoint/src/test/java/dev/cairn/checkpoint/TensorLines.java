package dev.cairn.checkpoint;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// What [PythonReader] must print of the checkpoints of a run, as the library restores them.
final class TensorLines {
    private TensorLines() {}

    /// The lines of every checkpoint, oldest first, by `RUN@STEP`.
    static SequencedMap<String, List<String>> of(Path run) throws IOException {
        var lines = new LinkedHashMap<String, List<String>>();
        for (Commit checkpoint : checkpoints(run)) {
            var own = new ArrayList<String>();
            try (CheckpointReader reader = store(run).open(checkpoint)) {
                for (TensorSpec spec : wholes(reader.manifest().tensors())) {
                    byte[] values = new byte[(int) spec.sizeBytes()];
                    reader.read(spec, MemorySegment.ofArray(values));
                    own.add(line(spec, values));
                }
            }
            if (lines.put(run + "@" + checkpoint.step(), own) != null) {
                throw new AssertionError("two checkpoints of step " + checkpoint.step());
            }
        }
        return lines;
    }

    static List<Commit> checkpoints(Path run) throws IOException {
        return store(run).history().currentCheckpoints();
    }

    private static CheckpointStore store(Path run) {
        return new CheckpointStore(new LocalBlobStore(run));
    }

    /// The tensors in order, those in parts once.
    private static List<TensorSpec> wholes(List<TensorRef> tensors) {
        var names = new HashSet<String>();
        return tensors.stream()
                .map(TensorRef::spec)
                .filter(spec -> names.add(spec.name()))
                .map(TensorLines::whole)
                .toList();
    }

    private static TensorSpec whole(TensorSpec spec) {
        Extent extent = spec.extent();
        return extent == null ? spec : new TensorSpec(spec.name(), spec.type(), extent.shape(), spec.role());
    }

    private static String line(TensorSpec spec, byte[] values) {
        String name = spec.name().replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t");
        String shape = spec.shape().stream().map(String::valueOf).collect(Collectors.joining("x", "[", "]"));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(values);
            return String.join(
                    "\t", name, spec.type().label(), shape, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
