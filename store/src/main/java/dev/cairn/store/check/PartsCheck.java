package dev.cairn.store.check;

import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.IncompleteTensor;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.TensorParts;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Whether a reader can join the tensors of one checkpoint that are stored in parts.
///
/// @param incomplete the tensors that the parts do not make up
/// @param differing why parts contradict each other, one reason for each tensor
record PartsCheck(List<IncompleteTensor> incomplete, List<String> differing) {
    PartsCheck {
        incomplete = List.copyOf(incomplete);
        differing = List.copyOf(differing);
    }

    /// Checks the last checkpoint of this chain.
    ///
    /// @param tensors the tensors of that checkpoint
    /// @param readable whether values are compared, too
    static PartsCheck of(CheckpointStore store, List<Commit> chain, List<TensorRef> tensors, boolean readable)
            throws IOException {
        List<TensorSpec> wholes =
                TensorParts.wholes(tensors.stream().map(TensorRef::spec).toList());
        if (wholes.isEmpty()) {
            return new PartsCheck(List.of(), List.of());
        }
        var byName = new HashMap<String, List<TensorSpec>>();
        tensors.forEach(tensor -> byName.computeIfAbsent(tensor.spec().name(), _ -> new ArrayList<>())
                .add(tensor.spec()));
        var incomplete = new ArrayList<IncompleteTensor>();
        var overlapping = new ArrayList<TensorSpec>();
        for (TensorSpec whole : wholes) {
            List<TensorSpec> stored = byName.getOrDefault(whole.name(), List.of());
            List<TensorSpec> missing = TensorParts.missing(stored, whole);
            if (!missing.isEmpty()) {
                String record = RunFiles.record(chain.getLast().number());
                incomplete.add(new IncompleteTensor(record, whole, missing.getFirst()));
            }
            if (readable && TensorParts.overlap(stored, whole)) {
                overlapping.add(whole);
            }
        }
        return new PartsCheck(incomplete, overlapping.isEmpty() ? List.of() : differing(store, chain, overlapping));
    }

    private static List<String> differing(CheckpointStore store, List<Commit> chain, List<TensorSpec> wholes)
            throws IOException {
        var differing = new ArrayList<String>();
        try (CheckpointReader reader = store.open(chain)) {
            for (TensorSpec whole : wholes) {
                reader.disagreement(whole)
                        .ifPresent(part -> differing.add(
                                "parts of a tensor overlap and differ: %s has other values than an earlier part"
                                        .formatted(part)));
            }
        }
        return differing;
    }

    boolean isFine() {
        return incomplete.isEmpty() && differing.isEmpty();
    }
}
