package dev.cairn.app.inspect;

import dev.cairn.app.run.Keeping;
import dev.cairn.app.run.RunAt;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.checkpoint.save.SaveCost;
import dev.cairn.store.DamagedException;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.scrub.ScrubReport;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What a run's records say about one checkpoint. The tensors themselves are not read.
///
/// @param chain the checkpoints that a restore reads, the base first, this one last; empty if the chain is broken
/// @param kept why the checkpoint still exists, if the run says what it keeps
/// @param scrub how far scrubbing is with the run
/// @param problem why it cannot be restored, as far as the records show
record CheckpointView(
        Commit checkpoint,
        List<Tensor> tensors,
        List<Commit> chain,
        Optional<String> kept,
        ScrubReport scrub,
        Optional<DamagedException> problem) {
    CheckpointView {
        tensors = List.copyOf(tensors);
        chain = List.copyOf(chain);
    }

    /// One tensor of the checkpoint.
    ///
    /// @param storedBytes the size of its blocks
    /// @param relativeError absent if it was not measured
    /// @param isDropped whether a restore sets it to zeros, because a lossy codec does not store it
    /// @param sameAs the tensor whose blocks it shares; null if it has its own
    record Tensor(
            TensorSpec spec,
            String codec,
            long storedBytes,
            OptionalDouble relativeError,
            boolean isDropped,
            @Nullable String sameAs) {}

    /// All tensors of one role; at least one.
    record Tensors(Role role, List<Tensor> tensors) {
        /// The number of tensors that a restore sets to zeros. Not always all: tensors of a few values are stored.
        long dropped() {
            return tensors.stream().filter(Tensor::isDropped).count();
        }

        /// The codecs of the stored tensors.
        List<String> codecs() {
            return tensors.stream()
                    .filter(tensor -> !tensor.isDropped())
                    .map(Tensor::codec)
                    .distinct()
                    .toList();
        }

        /// The largest error of the stored tensors; empty if any was not measured.
        OptionalDouble worstError() {
            List<Tensor> stored =
                    tensors.stream().filter(tensor -> !tensor.isDropped()).toList();
            return stored.stream().anyMatch(tensor -> tensor.relativeError().isEmpty())
                    ? OptionalDouble.empty()
                    : stored.stream()
                            .mapToDouble(tensor -> tensor.relativeError().orElseThrow())
                            .max();
        }
    }

    /// The tensors by role, in the order of the roles. Roles without tensors are left out.
    List<Tensors> byRole() {
        var byRole = new EnumMap<Role, List<Tensor>>(Role.class);
        tensors.forEach(tensor -> byRole.computeIfAbsent(tensor.spec().role(), _ -> new ArrayList<>())
                .add(tensor));
        return byRole.entrySet().stream()
                .map(each -> new Tensors(each.getKey(), each.getValue()))
                .toList();
    }

    static CheckpointView of(RunAt.Found found) throws IOException {
        Commit checkpoint = found.checkpoint();
        List<Tensor> tensors = tensors(found.manifest());
        Optional<String> kept = Keeping.of(found.history()).map(keeping -> keeping.reason(checkpoint));
        var scrub = ScrubReport.of(found.store(), found.history());
        try {
            List<Commit> chain = found.history().chain(checkpoint);
            return new CheckpointView(checkpoint, tensors, chain, kept, scrub, Optional.empty());
        } catch (DamagedException broken) {
            return new CheckpointView(checkpoint, tensors, List.of(), kept, scrub, Optional.of(broken));
        }
    }

    private static List<Tensor> tensors(Manifest manifest) {
        boolean exact = !manifest.checkpoint().attributes().asMap().containsKey(WeightError.OF_STATE);
        var owners = new HashMap<List<Long>, String>();
        var tensors = new ArrayList<Tensor>();
        for (TensorRef ref : manifest.tensors()) {
            TensorSpec spec = ref.spec();
            String owner = spec.sizeBytes() == 0
                    ? null
                    : owners.putIfAbsent(List.of((long) ref.segment(), ref.firstBlock()), spec.key());
            OptionalDouble error = exact && ref.relativeError().isEmpty() ? OptionalDouble.of(0) : ref.relativeError();
            tensors.add(new Tensor(spec, ref.codec(), ref.storedBytes(), error, ref.isDropped(), owner));
        }
        return tensors;
    }

    long restoreBytes() {
        return chain.stream().mapToLong(Commit::storedBytes).sum();
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

    /// A number in the checkpoint's record; empty if it is absent.
    OptionalDouble number(String attribute) {
        return checkpoint.attributes().asMap().get(attribute) instanceof Double value
                ? OptionalDouble.of(value)
                : OptionalDouble.empty();
    }
}
