package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.DeltaExponents;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.store.Role;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.TensorSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How one checkpoint is encoded. Blocks are encoded when the tensors are asked for them. The error is known when all
/// blocks are encoded.
public final class EncodingPlan {
    private final @Nullable Parent parent;
    private final List<TensorSource> tensors;
    private final List<BlockwiseTensor> encoded;
    private final @Nullable Decision decision;
    private final Optional<DeltaExponents> delta;
    private final SegmentTables tables;
    private final int lanes;

    /// @param tensors all tensors of the state, in order
    /// @param encoded the tensors that have their own blocks
    /// @param decision the decision for the weights; null for an exact checkpoint
    /// @param delta the changes of the weights; empty for a base
    /// @param tables what the blocks share; complete when all tensors are encoded
    EncodingPlan(
            @Nullable Parent parent,
            List<TensorSource> tensors,
            List<BlockwiseTensor> encoded,
            @Nullable Decision decision,
            Optional<DeltaExponents> delta,
            SegmentTables tables,
            int lanes) {
        this.parent = parent;
        this.tensors = List.copyOf(tensors);
        this.encoded = List.copyOf(encoded);
        this.decision = decision;
        this.delta = delta;
        this.tables = tables;
        this.lanes = lanes;
    }

    /// The parent of the delta; null for a base.
    public @Nullable Parent parent() {
        return parent;
    }

    /// The tensors to write.
    public List<TensorSource> tensors() {
        return tensors;
    }

    /// What the blocks share and refer to.
    public SegmentTables tables() {
        return tables;
    }

    /// The maximum number of blocks that are encoded at the same time.
    public int lanes() {
        return lanes;
    }

    /// The decision for the weights; empty if the checkpoint is exact.
    public Optional<Decision> decision() {
        return Optional.ofNullable(decision);
    }

    /// How much the weights changed since the parent; empty for a base.
    public Optional<DeltaExponents> delta() {
        return delta;
    }

    /// The error of the weights, once all blocks are encoded.
    public WeightError error() {
        if (decision == null) {
            return WeightError.NONE;
        }
        var sum = new Distortion();
        for (BlockwiseTensor tensor : encoded) {
            if (tensor.spec().role() == Role.WEIGHT) {
                sum.add(tensor.distortion());
            }
        }
        return decision.error(sum.errorSquares());
    }
}
