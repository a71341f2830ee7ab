package dev.cairn.codec.lossy;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.Selection;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.WarmKernels;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/// Quantizes selected elements of a tensor to the nearest value of a codebook, and prunes all others, for the baseline
/// *ExCP*. Each tensor needs a new quantizer.
public final class PrunedQuantizer implements Quantizer {
    /// What to quantize.
    public enum Of {
        /// The difference to the reference. Pruned elements stay as in the reference.
        DELTAS,
        /// The values themselves. Pruned elements become 0.
        VALUES
    }

    /// Buffers that several tensors use one after the other.
    public static final class Workspace {
        private final Kernels kernels = new WarmKernels();
        private final NearestQuantizer nearest = new NearestQuantizer();
        private final QuantizedBlock block = new QuantizedBlock();
        private final IdStreams streams = new IdStreams(null);
        private final Map<ElementType, Deltas> deltas = new EnumMap<>(ElementType.class);
    }

    private final ElementType type;
    private final Of of;
    private final Selection kept;
    private final Codebook book;
    private final Workspace workspace;
    private long first;

    /// Creates a quantizer for these elements.
    ///
    /// @param kept runs of one element
    public PrunedQuantizer(ElementType type, Of of, Selection kept, Codebook book, Workspace workspace) {
        if (kept.run() != 1) {
            throw new IllegalArgumentException("elements are pruned one by one, not in runs of " + kept.run());
        }
        this.type = type;
        this.of = of;
        this.kept = kept;
        this.book = book;
        this.workspace = workspace;
    }

    @Override
    public Kind kind() {
        return switch (of) {
            case DELTAS -> Kind.TABLE;
            case VALUES -> Kind.TABLE_ALONE;
        };
    }

    @Override
    public void startAt(long element) {
        first = element;
    }

    @Override
    public boolean quantize(MemorySegment u, MemorySegment r) {
        if (of == Of.VALUES) {
            r.fill((byte) 0);
        }
        Deltas deltas = workspace.deltas.computeIfAbsent(type, Deltas::of);
        MemorySegment minuend = deltas.minuend(u, r);
        MemorySegment subtrahend = deltas.subtrahend(u, r);
        int count = (int) (minuend.byteSize() / Float.BYTES);
        workspace.nearest.quantize(
                minuend, subtrahend, count, book, (i, _, _) -> kept.contains(first + i), workspace.block);
        return Double.isFinite(workspace.nearest.deltaSquares())
                && deltas.applyAndCheck(workspace.kernels, workspace.block, r);
    }

    @Override
    public QuantizedBlock block() {
        return workspace.block;
    }

    @Override
    public void write(Frame frame) {
        workspace.streams.writeTable(workspace.block, frame);
    }

    /// For [Of#VALUES], the sum of the squared values.
    @Override
    public double deltaSquares() {
        return workspace.nearest.deltaSquares();
    }

    @Override
    public double errorSquares() {
        return workspace.nearest.errorSquares();
    }
}
