package dev.cairn.cluster.member;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.Attributes;
import dev.cairn.train.team.Replica;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A copy of the state of a process that changes its role, and for that builds its model anew. Its state may be the
/// only one that is left of the team.
public final class KeptState {
    private static final long ALIGNMENT = 64;

    private final long generation;
    private final long progress;
    private final long step;
    private final Attributes attributes;
    private final List<MemorySegment> tensors;

    private KeptState(long generation, Replica replica, List<MemorySegment> tensors) {
        this.generation = generation;
        this.progress = replica.progress();
        this.step = replica.step();
        this.attributes = replica.attributes();
        this.tensors = tensors;
    }

    /// Copies the state. Empty if the process has none.
    ///
    /// @param generation the last group of the process
    static Optional<KeptState> of(Replica replica, long generation) {
        if (replica.progress() == Replica.NONE) {
            return Optional.empty();
        }
        Arena arena = Arena.ofAuto();
        var copies = new ArrayList<MemorySegment>();
        for (LiveTensor tensor : replica.tensors()) {
            copies.add(arena.allocate(tensor.memory().byteSize(), ALIGNMENT).copyFrom(tensor.memory()));
        }
        return Optional.of(new KeptState(generation, replica, copies));
    }

    long generation() {
        return generation;
    }

    long progress() {
        return progress;
    }

    /// Overwrites the state of this replica, whose model is the same.
    void putInto(Replica replica) {
        replica.overwriting();
        List<LiveTensor> live = replica.tensors();
        if (live.size() != tensors.size()) {
            throw new IllegalStateException("%d tensors, not %d".formatted(live.size(), tensors.size()));
        }
        for (int i = 0; i < live.size(); i++) {
            live.get(i).memory().copyFrom(tensors.get(i));
        }
        replica.restored(step, attributes);
    }
}
