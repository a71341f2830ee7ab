package dev.cairn.checkpoint.house;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.MergeChoice;
import dev.cairn.store.writing.Merger;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Merges checkpoints so that the run holds little more than retention keeps: a delta needs its parents, which stay
/// even if retention does not keep them. For one thread.
final class ParentMerges {
    /// A merge costs about as much as saving a base, so there is at most one per this many saves.
    private static final int WORTH_A_MERGE = 4;

    /// The maximum number of bytes to read after the end of a training: a second or two of work.
    private static final long MOST_AT_THE_END = 256L << 20;

    /// If the disk has space for fewer saves than this, a merge could take the space of the next save.
    private static final int ROOM_TO_SPARE = 8;

    /// Merges take at most one part in this many of the time of a training, so that a training that saves all the
    /// time is not slowed down for a few files.
    private static final int PART_OF_THE_TIME = 10;

    private final CheckpointStore store;
    private final Merger merger;
    private final CheckpointOptions options;
    private final Set<String> givenUp = new HashSet<>();
    private final long beganNanos;
    private long spentNanos;

    ParentMerges(CheckpointStore store, Merger merger, CheckpointOptions options) {
        this.store = store;
        this.merger = merger;
        this.options = options;
        this.beganNanos = options.environment().time().nanos();
    }

    /// Makes one merge if at least as many checkpoints stay only as parents as are kept for themselves, and if the
    /// merge frees enough.
    Optional<MergeMade> whereCrowded() throws IOException {
        if (spentNanos * PART_OF_THE_TIME > options.environment().time().nanos() - beganNanos) {
            return Optional.empty();
        }
        History history = store.history();
        PrunePlan plan = plan(history);
        int parents = plan.needed().size();
        return parents < plan.kept().size() - parents
                ? Optional.empty()
                : merge(history, plan, WORTH_A_MERGE, Long.MAX_VALUE);
    }

    /// Makes one merge that frees at least one checkpoint and takes little time; empty if there is none.
    Optional<MergeMade> whereAny() throws IOException {
        History history = store.history();
        return merge(history, plan(history), 1, MOST_AT_THE_END);
    }

    private PrunePlan plan(History history) throws IOException {
        return PrunePlan.of(
                history, options.retention(), options.environment().time().now(), _ -> true);
    }

    private Optional<MergeMade> merge(History history, PrunePlan plan, int least, long mostBytes) throws IOException {
        if (options.encoding().longestChain() == 0) {
            return Optional.empty();
        }
        Optional<MergeChoice> choice = MergeChoice.of(history, plan, givenUp).filter(found -> found.freed() >= least);
        if (choice.isEmpty()) {
            return Optional.empty();
        }
        long start = options.environment().time().nanos();
        Commit chosen = choice.get().checkpoint();
        List<Commit> chain = history.chain(chosen);
        if (chain.stream().mapToLong(Commit::storedBytes).sum() > mostBytes
                || store.usableBytes() / ROOM_TO_SPARE < CheckpointWriter.neededBytes(chosen.fullBytes())) {
            return Optional.empty();
        }
        givenUp.add(chosen.id()); // if it cannot be read, it is not tried again
        Optional<Commit> merged = merger.merge(chosen);
        givenUp.remove(chosen.id());
        long took = options.environment().time().nanos() - start;
        spentNanos += took;
        return merged.map(made -> new MergeMade(made, chain.size() - 1, Duration.ofNanos(took)));
    }
}
