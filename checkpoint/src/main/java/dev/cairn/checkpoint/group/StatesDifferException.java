package dev.cairn.checkpoint.group;

import java.util.List;

/// Thrown on all processes if their states differ before a save: a bit has flipped in the memory of one of them, or
/// the loop does not make the same step everywhere. Nothing is saved; the last checkpoint is from before.
public final class StatesDifferException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient List<Integer> ranks;

    StatesDifferException(long step, List<Integer> ranks, int size) {
        super(
                ranks.size() == size
                        ? "the states of the %d processes differ at step %d, and no majority has the same; start all of them again: they go on from the last checkpoint"
                                .formatted(size, step)
                        : "rank %s: another state than that of the others at step %d; start all of them again: they go on from the last checkpoint"
                                .formatted(
                                        String.join(
                                                ", ",
                                                ranks.stream()
                                                        .map(String::valueOf)
                                                        .toList()),
                                        step));
        this.ranks = List.copyOf(ranks);
    }

    /// The processes that differ from the majority; all if there is none.
    public List<Integer> ranks() {
        return ranks;
    }
}
