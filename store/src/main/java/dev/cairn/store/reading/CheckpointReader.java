package dev.cairn.store.reading;

import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.segment.SegmentReader;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads one checkpoint through its chain: the whole checkpoint, single tensors or ranges. It reads block by block,
/// all frames of a block one after the other while it is in cache, straight into the target. Only the requested
/// blocks are read, and every byte is checked before it is used.
///
/// A requested tensor need not be stored as a whole: it, or any part of it, is read from the stored parts that have
/// it ([TensorParts]).
///
/// Besides the target it needs at most 12 MiB for each thread, and the index and code tables of each segment. For one
/// thread at a time; it may use several threads itself.
public final class CheckpointReader implements AutoCloseable {
    /// As many threads as there are processors, but at most 8.
    public static final int USUAL_THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());

    private final List<Link> links = new ArrayList<>();
    private final Workspace workspace = new Workspace();
    /// Filled when a tensor is requested that is not stored in this form.
    private final Map<String, List<TensorSpec>> partsByName = new HashMap<>();

    /// One checkpoint of the chain with its open segments.
    private record Link(Manifest manifest, Map<String, TensorRef> tensors, List<SegmentReader> segments) {
        Commit checkpoint() {
            return manifest.checkpoint();
        }

        SegmentReader segment(TensorRef tensor) throws DamagedException {
            if (tensor.segment() >= segments.size()) {
                throw new DamagedException(
                        RunFiles.record(checkpoint().number()),
                        "tensor %s is in segment %d of %d"
                                .formatted(tensor.spec().name(), tensor.segment(), segments.size()));
            }
            return segments.get(tensor.segment());
        }
    }

    /// A range of a tensor, and the memory to fill.
    ///
    /// @param offset the offset of the first byte of the range within the tensor
    public record Piece(TensorSpec tensor, long offset, MemorySegment target) {
        /// The range that starts at the first byte of the tensor.
        public Piece(TensorSpec tensor, MemorySegment target) {
            this(tensor, 0, target);
        }
    }

    private CheckpointReader() {}

    /// @param chain the checkpoints, starting with the base
    static CheckpointReader open(SegmentSource source, List<Manifest> chain) throws IOException {
        var reader = new CheckpointReader();
        List<List<SegmentReader>> segments = SegmentReaders.open(
                source,
                chain.stream().map(manifest -> manifest.checkpoint().segments()).toList(),
                USUAL_THREADS);
        for (int i = 0; i < chain.size(); i++) {
            var tensors = new HashMap<String, TensorRef>();
            chain.get(i).tensors().forEach(tensor -> tensors.put(tensor.spec().key(), tensor));
            reader.links.add(new Link(chain.get(i), tensors, segments.get(i)));
        }
        return reader;
    }

    /// The checkpoint that is read here.
    public Manifest manifest() {
        return links.getLast().manifest();
    }

    /// Fills the target, of exactly the tensor's size, with its values.
    public void read(TensorSpec spec, MemorySegment target) throws IOException {
        if (target.byteSize() != spec.sizeBytes()) {
            throw new IllegalArgumentException(
                    "tensor %s does not fit into %d bytes".formatted(spec, target.byteSize()));
        }
        read(spec, 0, target);
    }

    /// Fills the target with the tensor's bytes at this offset. Reads only the blocks that contain them.
    public void read(TensorSpec spec, long offset, MemorySegment target) throws IOException {
        read(List.of(new Piece(spec, offset, target)), 1);
    }

    /// Fills the targets, on as many threads as there are processors, but at most 8.
    public void read(List<Piece> pieces) throws IOException {
        read(pieces, USUAL_THREADS);
    }

    /// Fills the targets, which must not overlap. After an error they may hold anything.
    ///
    /// @param threads the maximum number of threads, including the caller's; few blocks are read on fewer
    public void read(List<Piece> pieces, int threads) throws IOException {
        var fills = new ArrayList<BlockRange>();
        var repeats = new ArrayList<BlockRange>();
        for (Piece piece : pieces) {
            TensorRef stored = links.getLast().tensors().get(piece.tensor().key());
            if (stored != null && isSame(stored.spec(), piece.tensor())) {
                fills.add(new TensorRange(chain(stored.spec()), piece.offset(), piece.target()));
            } else {
                join(piece, fills, repeats);
            }
        }
        new ParallelRead(fills).run(threads, workspace);
        new ParallelRead(repeats).run(threads, workspace);
    }

    /// Whether they are the same, except perhaps for their roles.
    private static boolean isSame(TensorSpec one, TensorSpec other) {
        return Cover.isOfSameTensor(one, other) && Box.of(one).equals(Box.of(other));
    }

    /// Reads the requested range from the stored parts that have it.
    ///
    /// @param repeats receives the ranges that are stored more than once, to be compared with the filled values
    private void join(Piece piece, List<BlockRange> fills, List<BlockRange> repeats) throws DamagedException {
        TensorSpec wanted = piece.tensor();
        if (piece.offset() < 0
                || piece.offset() > wanted.sizeBytes() - piece.target().byteSize()) {
            throw new IllegalArgumentException("range outside its tensor: offset=%d bytes=%d tensor=%s"
                    .formatted(piece.offset(), piece.target().byteSize(), wanted));
        }
        String record = RunFiles.record(links.getLast().checkpoint().number());
        List<TensorSpec> parts = partsByName().getOrDefault(wanted.name(), List.of());
        if (!TensorParts.areOf(parts, wanted)) {
            throw new DamagedException(record, "tensor %s is not in it".formatted(wanted));
        }
        Cover cover = Cover.of(parts, wanted);
        if (!cover.missing().isEmpty()) {
            throw new DamagedException(
                    record,
                    "tensor %s is incomplete: no part has %s"
                            .formatted(
                                    wanted, TensorParts.missing(parts, wanted).getFirst()));
        }
        for (Cover.Source source : cover.fills()) {
            fills.add(range(source, piece, new PartRange.Use.Fill()));
        }
        for (Cover.Source source : cover.repeats()) {
            repeats.add(range(source, piece, new PartRange.Use.Compare(record)));
        }
    }

    /// A stored part of this whole tensor that has other values than an earlier part where they overlap; empty if
    /// all parts agree. The parts need not make up the whole.
    public Optional<TensorSpec> disagreement(TensorSpec whole) throws IOException {
        List<TensorSpec> parts = partsByName().getOrDefault(whole.name(), List.of());
        return new Overlaps(parts, whole).disagreement(this::range, USUAL_THREADS, workspace);
    }

    private PartRange range(Cover.Source source, Piece piece, PartRange.Use use) throws DamagedException {
        TensorSpec part = source.part();
        var runs = new Runs(
                source.box(), Box.of(part), Box.of(piece.tensor()), part.type().sizeBytes());
        return new PartRange(chain(part), runs, piece.offset(), piece.target(), use);
    }

    private Map<String, List<TensorSpec>> partsByName() {
        if (partsByName.isEmpty()) {
            for (TensorRef tensor : manifest().tensors()) {
                partsByName
                        .computeIfAbsent(tensor.spec().name(), _ -> new ArrayList<>(1))
                        .add(tensor.spec());
            }
        }
        return partsByName;
    }

    /// Fills the target on a thread that shares this reader with others, each with its own workspace.
    public void read(TensorSpec spec, long offset, MemorySegment target, Workspace own) throws IOException {
        new ParallelRead(List.of(new TensorRange(chain(spec), offset, target))).run(1, own);
    }

    /// The damage that was noticed so far and did not matter, because the right bits are stored a second time.
    public List<HealedDamage> healed() {
        var healed = new ArrayList<HealedDamage>();
        for (Link link : links) {
            link.segments().forEach(segment -> segment.healed().ifPresent(healed::add));
        }
        return healed;
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) {
            for (SegmentReader segment : link.segments()) {
                segment.close();
            }
        }
    }

    /// The tensor in the checkpoints from the tip back to the base, or to the one in which it first appeared.
    private TensorChain chain(TensorSpec spec) throws DamagedException {
        var parts = new ArrayList<TensorChain.Part>();
        Commit oldest = links.getLast().checkpoint();
        for (Link link : links.reversed()) {
            TensorRef tensor = link.tensors().get(spec.key());
            if (tensor == null || !tensor.spec().equals(spec)) {
                break;
            }
            parts.add(new TensorChain.Part(link.segment(tensor), tensor.firstBlock()));
            oldest = link.checkpoint();
        }
        if (parts.isEmpty()) {
            throw new DamagedException(RunFiles.record(oldest.number()), "tensor %s is not in it".formatted(spec));
        }
        return new TensorChain(spec, parts, oldest);
    }
}
