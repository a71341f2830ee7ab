package dev.cairn.codec.block;

import dev.cairn.codec.Crc32c;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.Reals;
import dev.cairn.codec.Selection;
import dev.cairn.codec.sparse.SparseBlock;
import java.lang.foreign.MemorySegment;

/// Stores some values of a tensor; for the others, a reader keeps its previous values. A block with a delta that is not
/// finite, or that would not be smaller, is stored exactly. For floating-point types. Each tensor needs a new encoder.
public final class SparseEncoder implements BlockEncoder {
    private final ElementType type;
    private final Selection selection;
    private final SparseBlock block;
    private final ExactEncoder exact;
    private Distortion distortion = new Distortion();
    private long first;

    /// Creates an encoder for one tensor.
    ///
    /// @param block buffers that tensors may share
    public SparseEncoder(ElementType type, Selection selection, SparseBlock block) {
        this.type = type;
        this.selection = selection;
        this.block = block;
        this.exact = new ExactEncoder(type, ExactEncoder.Basis.ALONE);
    }

    @Override
    public void startAt(long element) {
        first = element;
    }

    @Override
    public void encode(MemorySegment u, MemorySegment r, Frame frame) {
        int count = (int) (u.byteSize() / type.sizeBytes());
        boolean any = block.select(selection, first, count);
        double squares = 0;
        double errors = 0;
        for (int i = 0; i < count; i++) {
            double delta = Reals.get(type, u, i) - Reals.get(type, r, i);
            squares += delta * delta;
            errors += block.replaces(i) ? 0 : delta * delta;
        }
        if (!Double.isFinite(squares)) {
            exact.encode(u, r, frame);
            return;
        }
        frame.clear();
        if (any) {
            frame.putByte(BlockMethod.SPARSE.code());
            block.write(u, r, type.sizeBytes(), frame);
        } else {
            frame.putByte(BlockMethod.SAME.code());
        }
        if (frame.size() > u.byteSize()) {
            exact.encode(u, r, frame);
            return;
        }
        frame.putInt(Crc32c.of(r));
        distortion.add(squares, errors, count);
    }

    @Override
    public boolean needsReference() {
        return true;
    }

    @Override
    public Distortion takeDistortion() {
        Distortion taken = distortion;
        distortion = new Distortion();
        return taken;
    }
}
