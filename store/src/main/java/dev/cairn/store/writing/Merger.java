package dev.cairn.store.writing;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.segment.Contents;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.Staged;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.store.segment.TensorSource;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Shortens chains: rewrites a checkpoint, bit for bit as its chain gives it, so that its readers need at most one
/// other checkpoint.
///
/// The new form is an exact delta of the base of the chain if that is small, or else a base. Deltas are never summed,
/// because that would change bits: each block is read as any reader reads it and stored with these values. A tensor
/// that the base of the chain does not have is stored without it. This is done block by block, so memory does not
/// grow with the state. The old form remains valid until the record of the new one exists, whatever happens in
/// between.
public final class Merger {
    /// A delta that is larger than this fraction of its base is no longer worth it: the next form is a base.
    private static final double WORTHWHILE = 0.8;

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private final int threads;
    private volatile boolean stopped;

    /// Merges in this run, through its writer, on as many threads as there are processors, but at most 8.
    public Merger(CheckpointStore store, CheckpointWriter writer) {
        this(store, writer, Math.min(8, Runtime.getRuntime().availableProcessors()));
    }

    /// Merges in this run, through its writer.
    ///
    /// @param threads the maximum number of threads, including the caller's
    public Merger(CheckpointStore store, CheckpointWriter writer, int threads) {
        this.store = store;
        this.writer = writer;
        this.threads = threads;
    }

    /// Ends a running merge at its next block, with an `InterruptedIOException`, and allows no further merge. May
    /// be called from any thread.
    public void stop() {
        stopped = true;
    }

    private void checkStopped() throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("the merge was stopped");
        }
    }

    /// Merges the chain of this checkpoint; empty if it is already as short as possible. The files of the old form
    /// are removed.
    public Optional<Commit> merge(Commit tip) throws IOException {
        List<Commit> chain = store.history().chain(tip);
        if (chain.size() <= 2) {
            return Optional.empty();
        }
        Commit base = chain.getFirst();
        boolean alone = chain.stream()
                .skip(1)
                .anyMatch(link -> link.replaces() != 0 && link.storedBytes() > WORTHWHILE * base.storedBytes());
        Commit merged = store(chain, alone ? null : base);
        writer.removeNeedless();
        return Optional.of(merged);
    }

    /// The checkpoints of this plan whose merge frees the most space, best first. Each is kept for itself and keeps
    /// parents that are not, which take more space than the checkpoint would take as a base.
    public List<Commit> holdingMost(PrunePlan plan) throws IOException {
        var needed = Set.copyOf(plan.needed());
        var kept = Set.copyOf(plan.kept());
        History history = store.history();
        var held = new HashMap<Commit, Long>();
        for (Entry entry : history.current()) {
            if (entry instanceof Entry.Intact(Commit wanted)
                    && kept.contains(wanted.number())
                    && !needed.contains(wanted.number())) {
                List<Commit> chain = history.chain(wanted);
                long bytes = 0;
                for (int i = chain.size() - 2;
                        i > 0 && needed.contains(chain.get(i).number());
                        i--) {
                    bytes += chain.get(i).storedBytes();
                }
                if (bytes > chain.getFirst().storedBytes()) {
                    held.put(wanted, bytes);
                }
            }
        }
        return held.keySet().stream()
                .sorted(Comparator.comparing((Commit wanted) -> held.getOrDefault(wanted, 0L))
                        .reversed())
                .toList();
    }

    /// Rewrites the last checkpoint of this chain as a full checkpoint, and removes nothing.
    public Commit standAlone(List<Commit> chain) throws IOException {
        return store(chain, null);
    }

    /// Writes one segment for each of its segments, so that the digest does not change.
    ///
    /// @param base the parent of the new form, if it has one; null for none
    private Commit store(List<Commit> chain, @Nullable Commit base) throws IOException {
        Commit tip = chain.getLast();
        var staged = new ArrayList<Staged>();
        Parent parent = null;
        try (CheckpointReader tipReader = store.open(chain);
                @Nullable CheckpointReader baseReader = base == null ? null : store.open(List.of(base))) {
            CheckpointReader reference = null;
            if (base != null
                    && baseReader != null
                    && Place.areSharedAlike(tipReader.manifest(), baseReader.manifest())) {
                reference = baseReader;
                parent = Parent.of(base);
            }
            for (int i = 0; i < tip.segments().size(); i++) {
                int position = i;
                List<TensorRef> tensors = tipReader.manifest().tensors().stream()
                        .filter(tensor -> tensor.segment() == position)
                        .toList();
                SegmentName name = SegmentName.parse(tip.segments().get(i).name());
                staged.add(stage(name == null ? "merger" : name.writer(), tensors, tipReader, reference));
            }
        } catch (IOException | RuntimeException | Error e) {
            writer.discard(staged);
            throw e;
        }
        return writer.replace(tip, parent, staged);
    }

    private Staged stage(String name, List<TensorRef> tensors, CheckpointReader tip, @Nullable CheckpointReader base)
            throws IOException {
        try (Arena arena = Arena.ofShared()) {
            var tables = TableSet.empty();
            var lanes = new ArrayList<Lane>();
            for (int i = 0; i < threads; i++) {
                lanes.add(new Lane(tip, base, arena, tables));
            }
            return writer.stage(
                    name, new Contents(copies(tensors, lanes, specs(base)), SegmentTables.of(tables), threads));
        }
    }

    private static Set<TensorSpec> specs(@Nullable CheckpointReader base) {
        return base == null
                ? Set.of()
                : base.manifest().tensors().stream().map(TensorRef::spec).collect(Collectors.toUnmodifiableSet());
    }

    /// Where the blocks of a tensor are. Tensors at the same place share them.
    private record Place(int segment, long firstBlock) {
        static Place of(TensorRef tensor) {
            return new Place(tensor.segment(), tensor.firstBlock());
        }

        /// Whether tensors that share blocks in the tip share them in the base, too, or are all new. Only then is a
        /// difference from the base right for each of them.
        static boolean areSharedAlike(Manifest tip, Manifest base) {
            var inBase = new HashMap<TensorSpec, Place>();
            base.tensors().forEach(tensor -> inBase.put(tensor.spec(), of(tensor)));
            var before = new HashMap<Place, Optional<Place>>();
            for (TensorRef tensor : tip.tensors()) {
                Optional<Place> place = Optional.ofNullable(inBase.get(tensor.spec()));
                if (tensor.spec().sizeBytes() > 0
                        && !before.computeIfAbsent(of(tensor), _ -> place).equals(place)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Tensors that share blocks continue to share them.
    ///
    /// @param inBase the tensors that are stored as differences; the base does not have the others
    private static List<TensorSource> copies(List<TensorRef> tensors, List<Lane> lanes, Set<TensorSpec> inBase) {
        var names = new HashMap<Place, String>();
        var copies = new ArrayList<TensorSource>();
        for (TensorRef tensor : tensors) {
            TensorSpec spec = tensor.spec();
            String owner = spec.sizeBytes() == 0 ? null : names.putIfAbsent(Place.of(tensor), spec.key());
            copies.add(new BlockCopy(tensor, owner, inBase.contains(spec) ? Basis.REFERENCE : Basis.ALONE, lanes));
        }
        return copies;
    }

    /// The source of blocks, with the memory that one thread needs to read and encode them.
    private final class Lane {
        private final CheckpointReader tip;
        private final @Nullable CheckpointReader base;
        private final TableSet tables;
        private final Map<Basis, Map<ElementType, ExactEncoder>> encoders = new EnumMap<>(Basis.class);
        private final Workspace workspace = new Workspace();
        private final MemorySegment values;
        private final MemorySegment reference;

        Lane(CheckpointReader tip, @Nullable CheckpointReader base, Arena arena, TableSet tables) {
            this.tip = tip;
            this.base = base;
            this.tables = tables;
            this.values = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            this.reference = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
        }

        void copy(TensorSpec spec, long block, Basis basis, Frame frame) throws IOException {
            checkStopped();
            long blockBytes = BlockEncoder.blockBytes(spec.type());
            long offset = block * blockBytes;
            long length = Math.min(blockBytes, spec.sizeBytes() - offset);
            MemorySegment u = values.asSlice(0, length);
            MemorySegment r = reference.asSlice(0, length);
            tip.read(spec, offset, u, workspace);
            if (base != null && basis == Basis.REFERENCE) {
                base.read(spec, offset, r, workspace);
            }
            encoder(spec.type(), basis).encode(u, r, frame);
        }

        private ExactEncoder encoder(ElementType type, Basis basis) {
            return encoders.computeIfAbsent(basis, _ -> new EnumMap<>(ElementType.class))
                    .computeIfAbsent(type, _ -> new ExactEncoder(type, basis, tables));
        }
    }

    private record BlockCopy(TensorRef tensor, @Nullable String sameAs, Basis basis, List<Lane> lanes)
            implements TensorSource {
        @Override
        public TensorSpec spec() {
            return tensor.spec();
        }

        @Override
        public String codec() {
            return "lossless";
        }

        /// The values are the same, and so is their error.
        @Override
        public OptionalDouble relativeError() {
            return tensor.relativeError();
        }

        @Override
        public void encode(long block, int lane, Frame frame) throws IOException {
            lanes.get(lane).copy(tensor.spec(), block, basis, frame);
        }
    }
}
