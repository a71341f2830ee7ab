package dev.cairn.sidecar;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.StateMaker;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.store.Attributes;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A checkpoint in the shared memory, as the training is told of it.
record RestoredState(long step, Attributes attributes, List<LiveTensor> tensors, MemorySegment memory) {
    /// Makes states in the shared memory, and remembers the last.
    private static final class Target implements StateMaker {
        private final SharedMemory memory;
        private final Predicate<TensorSpec> wanted;
        private CopiedState last = new CopiedState(List.of(), Attributes.empty());

        Target(SharedMemory memory, Predicate<TensorSpec> wanted) {
            this.memory = memory;
            this.wanted = wanted;
        }

        @Override
        public TrainingState stateOf(List<TensorSpec> tensors) throws IOException {
            last = new CopiedState(
                    memory.tensors(tensors.stream().filter(wanted).toList()), Attributes.empty());
            return last;
        }

        RestoredState of(Checkpoint checkpoint) throws IOException {
            return new RestoredState(checkpoint.step(), checkpoint.attributes(), last.tensors(), memory.first(0));
        }
    }

    /// The newest good checkpoint of a run that is open for writing.
    static Optional<RestoredState> latest(Checkpoints checkpoints, SharedMemory memory) throws IOException {
        var target = new Target(memory, _ -> true);
        Optional<Checkpoint> restored = checkpoints.restoreLatest(target);
        return restored.isPresent() ? Optional.of(target.of(restored.get())) : Optional.empty();
    }

    /// A checkpoint of a run that is only read.
    static RestoredState of(RunLocation run, Selector selector, Wanted wanted, SharedMemory memory, Reports reports)
            throws IOException {
        var target = new Target(memory, wanted::has);
        var store = new CheckpointStore(run.blobs(StorageSettings.none()));
        Matching matching = wanted.isAll() ? Matching.WHOLE : Matching.PARTIAL;
        return target.of(new ForkPoint(store, run.name(), selector).restore(target, matching, reports));
    }

    /// The tensors that a reader wants.
    ///
    /// @param beginnings what their names begin with; any if empty
    /// @param roles their roles; any if empty
    record Wanted(List<String> beginnings, List<String> roles) {
        boolean has(TensorSpec spec) {
            return (beginnings.isEmpty() || beginnings.stream().anyMatch(spec.name()::startsWith))
                    && (roles.isEmpty() || roles.contains(spec.role().label()));
        }

        boolean isAll() {
            return beginnings.isEmpty() && roles.isEmpty();
        }
    }

    Map<String, @Nullable Object> message() {
        return Map.of(
                "step", step,
                "attributes", CopiedState.content(attributes),
                "size", memory.byteSize(),
                "tensors", CopiedState.described(tensors, memory));
    }
}
