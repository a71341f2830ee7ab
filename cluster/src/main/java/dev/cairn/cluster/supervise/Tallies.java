package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Tally;
import java.util.ArrayList;
import java.util.List;

/// What was done in the place of each rank, by all processes that had it. A process may change its rank: what it does
/// counts for the rank that it has then.
final class Tallies {
    private final List<Tally> ranks = new ArrayList<>();

    /// @param done what a member of this rank has done since it last told
    void add(int rank, Tally done) {
        if (rank < 0) {
            return;
        }
        while (ranks.size() <= rank) {
            ranks.add(Tally.NONE);
        }
        ranks.set(rank, ranks.get(rank).plus(done));
    }

    /// The first is of rank 0.
    List<Tally> all() {
        return List.copyOf(ranks);
    }
}
