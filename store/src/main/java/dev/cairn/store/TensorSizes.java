package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// What the tensors of a checkpoint take on storage.
final class TensorSizes {
    private TensorSizes() {}

    static List<OptionalLong> of(BlobStore blobs, Checkpoint checkpoint) throws IOException {
        List<TensorRef> tensors = checkpoint.tensors();
        if (tensors.stream().allMatch(tensor -> tensor.storedBytes().isPresent())) {
            return tensors.stream().map(TensorRef::storedBytes).toList();
        }
        var sizes = new ArrayList<OptionalLong>();
        try (CheckedLink link = CheckedLink.open(blobs, checkpoint, _ -> {})) {
            for (TensorRef tensor : tensors) {
                SegmentReader segment = link.segment(tensor);
                sizes.add(segment == null ? OptionalLong.empty() : OptionalLong.of(blockBytes(segment, tensor)));
            }
        }
        return sizes;
    }

    private static long blockBytes(SegmentReader segment, TensorRef tensor) throws DamagedException {
        TensorSpec spec = tensor.spec();
        long bytes = 0;
        for (long block = 0; block < Math.ceilDiv(spec.sizeBytes(), segment.blockBytes(spec.type())); block++) {
            bytes += segment.length(tensor.firstBlock() + block);
        }
        return bytes;
    }
}
