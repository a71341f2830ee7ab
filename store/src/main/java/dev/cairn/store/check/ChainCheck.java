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

/// Reads the checkpoints of one chain as restores of each of them would, but every frame once, and goes on after
/// damage. Memory: a workspace for each thread, and of each checkpoint its index, its code tables and four bytes a
/// block.
final class ChainCheck implements AutoCloseable {
    private final List<CheckedLink> links = new ArrayList<>();
    private final int known;
    private final Workspace workspace;

    private ChainCheck(int known, Workspace workspace) {
        this.known = known;
        this.workspace = workspace;
    }

    /// @param chain the base first
    /// @param known how many of the first were checked before
    /// @param readBytes told how many bytes were read, from any thread
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

    /// The checkpoints that are new here.
    List<CheckedLink> links() {
        return links.subList(known, links.size());
    }

    /// Compares every byte with its checksum.
    void checkBytes(int threads) throws IOException {
        var ranges = new ArrayList<BlockRange>();
        links().forEach(link -> ranges.addAll(link.allBlocks()));
        new ParallelRead(ranges).run(threads, workspace);
    }

    /// Reconstructs all values too.
    void checkValues(int threads) throws IOException {
        List<BlockRange> ranges = new ArrayList<>(tracks());
        for (CheckedLink link : links()) {
            ranges.addAll(link.spareBlocks());
        }
        new ParallelRead(ranges).run(threads, workspace);
        links().forEach(CheckedLink::checkDigest);
    }

    /// Where a part's blocks are: tensors that have theirs in the same places all along are one.
    private record Place(@Nullable SegmentReader segment, long firstBlock) {}

    /// Every tensor for as long as it stays what it is, where that is in a new checkpoint.
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

    /// A tensor without elements has no blocks, and stands where those of the next one begin: it has no part in this.
    ///
    /// @param start the place in the chain of the first of these
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

    /// As a reader sees it: of another description it is another tensor.
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
