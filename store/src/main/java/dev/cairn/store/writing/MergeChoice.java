package dev.cairn.store.writing;

import dev.cairn.store.DamagedException;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The checkpoint whose merge frees the most checkpoints that stay only as parents of others. Pure.
///
/// @param checkpoint a checkpoint that is kept for itself
/// @param freed the number of checkpoints that nothing needs after the merge; its base stays
public record MergeChoice(Commit checkpoint, int freed) {
    /// The best choice for the checkpoints that a plan keeps; empty if no merge would free anything.
    ///
    /// @param avoided the ids of checkpoints that must not be merged
    public static Optional<MergeChoice> of(History history, PrunePlan plan, Set<String> avoided) {
        var parents = new HashSet<>(plan.needed());
        var kept = new HashSet<>(plan.kept());
        Map<Long, List<Commit>> chains = new HashMap<>();
        for (Commit checkpoint : history.currentCheckpoints()) {
            if (kept.contains(checkpoint.number()) && !parents.contains(checkpoint.number())) {
                chain(history, checkpoint).ifPresent(chain -> chains.put(checkpoint.number(), chain));
            }
        }
        // For each checkpoint, the number of kept checkpoints that are built on it, including itself.
        var users = new HashMap<Long, Integer>();
        chains.values().forEach(chain -> chain.forEach(link -> users.merge(link.number(), 1, Integer::sum)));
        Optional<MergeChoice> best = Optional.empty();
        for (List<Commit> chain : chains.values()) {
            Commit wanted = chain.getLast();
            int freed = freed(chain, parents, users);
            if (freed > best.map(MergeChoice::freed).orElse(0) && !avoided.contains(wanted.id())) {
                best = Optional.of(new MergeChoice(wanted, freed));
            }
        }
        return best;
    }

    /// The number of checkpoints between it and its base that stay only as parents, and that are needed only
    /// through it.
    private static int freed(List<Commit> chain, Set<Long> parents, Map<Long, Integer> users) {
        int own = users.getOrDefault(chain.getLast().number(), 0);
        int freed = 0;
        for (Commit link : chain.subList(1, Math.max(1, chain.size() - 1)).reversed()) {
            if (!parents.contains(link.number()) || users.getOrDefault(link.number(), 0) != own) {
                break;
            }
            freed++;
        }
        return freed;
    }

    private static Optional<List<Commit>> chain(History history, Commit checkpoint) {
        try {
            return Optional.of(history.chain(checkpoint));
        } catch (DamagedException broken) {
            return Optional.empty(); // it cannot be read
        }
    }
}
