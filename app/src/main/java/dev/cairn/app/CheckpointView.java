package dev.cairn.app;

import dev.cairn.checkpoint.SaveCost;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.DamagedException;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.LogRecord.TensorRef;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What there is to say of one checkpoint, without a look at its tensors.
///
/// @param chain what a restore reads, the base first, this one last; empty where that is broken
/// @param problem why it cannot be restored, as far as records tell
record CheckpointView(
        Checkpoint checkpoint, List<Tensor> tensors, List<Checkpoint> chain, Optional<DamagedException> problem) {
    CheckpointView {
        tensors = List.copyOf(tensors);
        chain = List.copyOf(chain);
    }

    /// @param storedBytes what its blocks take; absent where its segment cannot be read
    /// @param relativeError absent where it was not measured
    /// @param sameAs the tensor whose blocks are its own
    record Tensor(
            TensorSpec spec,
            String codec,
            OptionalLong storedBytes,
            OptionalDouble relativeError,
            @Nullable String sameAs) {}

    static CheckpointView of(RunAt.Found found) throws IOException {
        Checkpoint checkpoint = found.checkpoint();
        List<Tensor> tensors = tensors(found.store(), checkpoint);
        try {
            return new CheckpointView(checkpoint, tensors, found.history().chain(checkpoint), Optional.empty());
        } catch (DamagedException broken) {
            return new CheckpointView(checkpoint, tensors, List.of(), Optional.of(broken));
        }
    }

    private static List<Tensor> tensors(CheckpointStore store, Checkpoint checkpoint) throws IOException {
        List<OptionalLong> sizes = store.tensorBytes(checkpoint);
        boolean exact = !checkpoint.attributes().asMap().containsKey(WeightError.OF_STATE);
        var owners = new HashMap<List<Long>, String>();
        var tensors = new ArrayList<Tensor>();
        for (int i = 0; i < sizes.size(); i++) {
            TensorRef ref = checkpoint.tensors().get(i);
            TensorSpec spec = ref.spec();
            String owner = spec.sizeBytes() == 0
                    ? null
                    : owners.putIfAbsent(List.of((long) ref.segment(), ref.firstBlock()), spec.name());
            OptionalDouble error = exact && ref.relativeError().isEmpty() ? OptionalDouble.of(0) : ref.relativeError();
            tensors.add(new Tensor(spec, ref.codec(), sizes.get(i), error, owner));
        }
        return tensors;
    }

    long restoreBytes() {
        return chain.stream().mapToLong(Checkpoint::storedBytes).sum();
    }

    int restoreFiles() {
        return chain.stream().mapToInt(link -> link.segments().size()).sum();
    }

    OptionalDouble stallSeconds() {
        return number(SaveCost.STALL);
    }

    OptionalDouble saveSeconds() {
        return number(SaveCost.SAVE);
    }

    /// A number that its record tells; empty where it does not.
    OptionalDouble number(String attribute) {
        return checkpoint.attributes().asMap().get(attribute) instanceof Double value
                ? OptionalDouble.of(value)
                : OptionalDouble.empty();
    }
}
