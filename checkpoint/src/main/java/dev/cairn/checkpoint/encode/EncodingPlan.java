package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.encode.SchemeRule.Decision;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.store.Role;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.TensorSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How one checkpoint is encoded. Nothing is encoded before the tensors are asked for their blocks; the error is known
/// when all were.
public final class EncodingPlan {
    private final @Nullable Parent parent;
    private final List<TensorSource> tensors;
    private final List<BlockwiseTensor> encoded;
    private final @Nullable Decision decision;
    private final TableSet codeTables;
    private final int lanes;

    /// @param tensors all of the state in its order
    /// @param encoded those of them that have blocks of their own
    /// @param decision for the weights; null for a checkpoint that is exact throughout
    /// @param codeTables complete when all tensors are encoded
    EncodingPlan(
            @Nullable Parent parent,
            List<TensorSource> tensors,
            List<BlockwiseTensor> encoded,
            @Nullable Decision decision,
            TableSet codeTables,
            int lanes) {
        this.parent = parent;
        this.tensors = List.copyOf(tensors);
        this.encoded = List.copyOf(encoded);
        this.decision = decision;
        this.codeTables = codeTables;
        this.lanes = lanes;
    }

    /// What it is a delta of; null for a base.
    public @Nullable Parent parent() {
        return parent;
    }

    /// What is to be written.
    public List<TensorSource> tensors() {
        return tensors;
    }

    /// The code tables that the blocks name.
    public TableSet codeTables() {
        return codeTables;
    }

    /// How many blocks may be encoded at a time.
    public int lanes() {
        return lanes;
    }

    /// What is decided for the weights; empty where the checkpoint is exact throughout.
    public Optional<Decision> decision() {
        return Optional.ofNullable(decision);
    }

    /// What the weights are off, once all is encoded.
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
