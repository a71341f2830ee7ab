package dev.cairn.store;

import dev.cairn.codec.Frame;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.ExactEncoder;
import dev.cairn.codec.block.ExactEncoder.Basis;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.CheckpointWriter.BlockSink;
import dev.cairn.store.CheckpointWriter.TensorSource;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.Parent;
import dev.cairn.store.LogRecord.TensorRef;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shortens chains: stores a checkpoint anew, bit for bit as its chain gives it, and so that its readers need at most
/// one other checkpoint.
///
/// The new form is exact against the base of the chain, where that is small, or alone. Deltas are never summed, which
/// would change bits: each block is read as any reader reads it and stored as it is. Block by block, so memory does not
/// grow with the state. Whatever happens in between, the old form stands until the record of the new one does.
public final class Merger {
    /// A form against the base that takes so much of it is no longer worth its base: the next one stands alone.
    private static final double WORTHWHILE = 0.8;

    private final CheckpointStore store;
    private final CheckpointWriter writer;
    private volatile boolean stopped;

    /// Merges in this run, through its one writer.
    public Merger(CheckpointStore store, CheckpointWriter writer) {
        this.store = store;
        this.writer = writer;
    }

    /// Ends a merge that is under way, at its next block, with an `InterruptedIOException`, and allows no other. May be
    /// called from any thread.
    public void stop() {
        stopped = true;
    }

    private void checkStopped() throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("the merge was stopped");
        }
    }

    /// Merges the chain of this checkpoint; empty where it is as short as it can be. What the old form took is removed.
    public Optional<Checkpoint> merge(Checkpoint tip) throws IOException {
        List<Checkpoint> chain = store.history().chain(tip);
        if (chain.size() <= 2) {
            return Optional.empty();
        }
        Checkpoint base = chain.getFirst();
        boolean alone = chain.stream()
                .skip(1)
                .anyMatch(link -> link.replaces() != 0 && link.storedBytes() > WORTHWHILE * base.storedBytes());
        Checkpoint merged;
        try (CheckpointReader tipReader = store.open(chain);
                @Nullable CheckpointReader baseReader = alone ? null : store.open(List.of(base));
                Arena arena = Arena.ofConfined()) {
            var tables = TableSet.empty();
            var blocks = new Blocks(tipReader, baseReader, arena, tables);
            List<BlockCopy> tensors = copies(chain.getLast().tensors(), blocks);
            merged = writer.replace(chain.getLast(), alone ? null : Parent.of(base), tensors, tables);
        }
        writer.removeNeedless();
        return Optional.of(merged);
    }

    /// Tensors that share their blocks go on sharing them.
    private static List<BlockCopy> copies(List<TensorRef> tensors, Blocks blocks) {
        var names = new HashMap<List<Object>, String>();
        var copies = new ArrayList<BlockCopy>();
        for (TensorRef tensor : tensors) {
            TensorSpec spec = tensor.spec();
            String owner = spec.sizeBytes() == 0
                    ? null
                    : names.putIfAbsent(List.of(tensor.segment(), tensor.firstBlock()), spec.name());
            copies.add(new BlockCopy(tensor, owner, blocks));
        }
        return copies;
    }

    /// Where blocks come from, with the buffers for one at a time.
    private final class Blocks {
        private final CheckpointReader tip;
        private final @Nullable CheckpointReader base;
        private final TableSet tables;
        private final MemorySegment values;
        private final MemorySegment reference;
        private final Frame frame = new Frame();

        Blocks(CheckpointReader tip, @Nullable CheckpointReader base, Arena arena, TableSet tables) {
            this.tip = tip;
            this.base = base;
            this.tables = tables;
            this.values = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
            this.reference = arena.allocate(BlockEncoder.BLOCK_BYTES, 64);
        }

        void copy(TensorSpec spec, BlockSink sink) throws IOException {
            var encoder = new ExactEncoder(spec.type(), base == null ? Basis.ALONE : Basis.REFERENCE, tables);
            int blockBytes = BlockEncoder.blockBytes(spec.type());
            for (long offset = 0; offset < spec.sizeBytes(); offset += blockBytes) {
                long length = Math.min(blockBytes, spec.sizeBytes() - offset);
                MemorySegment u = values.asSlice(0, length);
                MemorySegment r = reference.asSlice(0, length);
                checkStopped();
                tip.read(spec, offset, u);
                if (base != null) {
                    base.read(spec, offset, r);
                }
                encoder.encode(u, r, frame);
                sink.append(frame.contents());
            }
        }
    }

    private record BlockCopy(TensorRef tensor, @Nullable String sameAs, Blocks blocks) implements TensorSource {
        @Override
        public TensorSpec spec() {
            return tensor.spec();
        }

        @Override
        public String codec() {
            return "lossless";
        }

        @Override
        public void encode(BlockSink sink) throws IOException {
            blocks.copy(tensor.spec(), sink);
        }
    }
}
