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

/// The checkpoint whose merging lets go of the most that stay only because others are built on them. Pure.
///
/// @param checkpoint one that is wanted
/// @param freed how many nobody needs any more once it is merged; its base stays
public record MergeChoice(Commit checkpoint, int freed) {
    /// The best choice for what a plan keeps; empty where no merge would free anything.
    ///
    /// @param avoided ids of checkpoints that are not to be merged
    public static Optional<MergeChoice> of(History history, PrunePlan plan, Set<String> avoided) {
        var parents = new HashSet<>(plan.needed());
        var kept = new HashSet<>(plan.kept());
        Map<Long, List<Commit>> chains = new HashMap<>();
        for (Commit checkpoint : history.currentCheckpoints()) {
            if (kept.contains(checkpoint.number()) && !parents.contains(checkpoint.number())) {
                chain(history, checkpoint).ifPresent(chain -> chains.put(checkpoint.number(), chain));
            }
        }
        // How many that are wanted are built on each, itself among them.
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

    /// Those between it and its base that nobody wants, and that all who need them need by way of it.
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
            return Optional.empty(); // nothing to read it from
        }
    }
}
