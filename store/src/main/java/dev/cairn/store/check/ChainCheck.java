package dev.cairn.store.check;

import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.BlockRange;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.ParallelRead;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Checks the checkpoints of one chain. It reads them as restores would, but reads every frame only once and
/// continues after damage. Memory: one workspace per thread, and per checkpoint its index, its code tables and four
/// bytes per block.
final class ChainCheck implements AutoCloseable {
    private final List<CheckedLink> links = new ArrayList<>();
    private final int known;
    private final Workspace workspace;

    private ChainCheck(int known, Workspace workspace) {
        this.known = known;
        this.workspace = workspace;
    }

    /// @param chain the checkpoints, starting with the base
    /// @param known the number of checkpoints at the start of the chain that were checked before
    /// @param readBytes receives the number of bytes read, from any thread
    static ChainCheck open(
            CheckpointStore store, List<Commit> chain, int known, Workspace workspace, LongConsumer readBytes)
            throws IOException {
        var check = new ChainCheck(known, workspace);
        try {
            for (Commit checkpoint : chain) {
                check.links.add(CheckedLink.open(store, checkpoint, readBytes));
            }
            return check;
        } catch (IOException | RuntimeException e) {
            check.close();
            throw e;
        }
    }

    /// The checkpoints that this check adds.
    List<CheckedLink> links() {
        return links.subList(known, links.size());
    }

    /// Compares every byte with its checksum.
    void checkBytes(int threads) throws IOException {
        var ranges = new ArrayList<BlockRange>();
        links().forEach(link -> ranges.addAll(link.allBlocks()));
        new ParallelRead(ranges).run(threads, workspace);
        checkParity();
    }

    /// Also reconstructs all values.
    void checkValues(int threads) throws IOException {
        List<BlockRange> ranges = new ArrayList<>(tracks());
        for (CheckedLink link : links()) {
            ranges.addAll(link.spareBlocks());
        }
        new ParallelRead(ranges).run(threads, workspace);
        links().forEach(CheckedLink::checkDigest);
        checkParity();
    }

    private void checkParity() throws IOException {
        for (CheckedLink link : links()) {
            link.checkParity();
        }
    }

    /// The place of a part's blocks. Tensors whose blocks are at the same places in the whole chain are checked as
    /// one.
    private record Place(@Nullable SegmentReader segment, long firstBlock) {}

    /// The sequences of checkpoints in which a tensor keeps its description, for tensors of a new checkpoint.
    private List<TensorTrack> tracks() {
        var tensors = new ArrayList<Map<String, TensorRef>>();
        var names = new LinkedHashSet<String>();
        for (CheckedLink link : links) {
            var byName = new HashMap<String, TensorRef>();
            link.tensors().forEach(tensor -> byName.put(tensor.spec().key(), tensor));
            tensors.add(byName);
        }
        tensors.subList(known, tensors.size()).forEach(byName -> names.addAll(byName.keySet()));
        var tracks = new ArrayList<TensorTrack>();
        var places = new HashSet<List<Place>>();
        for (String name : names) {
            int start = 0;
            var parts = new ArrayList<TensorTrack.Part>();
            for (int i = 0; i < links.size(); i++) {
                TensorRef tensor = tensors.get(i).get(name);
                var part = tensor == null
                        ? null
                        : new TensorTrack.Part(links.get(i), links.get(i).segment(tensor), tensor);
                if (part == null || (!parts.isEmpty() && !goesOn(parts.getLast(), part))) {
                    add(parts, start, places, tracks);
                    parts = new ArrayList<>();
                }
                if (part != null) {
                    start = parts.isEmpty() ? i : start;
                    parts.add(part);
                }
            }
            add(parts, start, places, tracks);
        }
        return tracks;
    }

    /// A tensor without elements has no blocks, so its place is also the place of the next tensor. It is left out.
    ///
    /// @param start the index in the chain of the first of these parts
    private void add(List<TensorTrack.Part> parts, int start, Set<List<Place>> places, List<TensorTrack> tracks) {
        int knownParts = Math.clamp(known - start, 0, parts.size());
        if (knownParts < parts.size()
                && parts.getFirst().tensor().spec().sizeBytes() > 0
                && places.add(parts.stream()
                        .map(part -> new Place(part.segment(), part.tensor().firstBlock()))
                        .toList())) {
            tracks.add(new TensorTrack(parts, knownParts));
        }
    }

    /// Whether a reader sees the same tensor: a tensor with another description is another tensor.
    private static boolean goesOn(TensorTrack.Part before, TensorTrack.Part next) {
        return next.tensor().spec().equals(before.tensor().spec());
    }

    @Override
    public void close() throws IOException {
        for (CheckedLink link : links) {
            link.close();
        }
    }
}
