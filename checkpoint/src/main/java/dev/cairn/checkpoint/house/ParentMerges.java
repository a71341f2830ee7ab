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

/// Merges so that what stays is nearly what retention wants: a delta needs its parents, and those stay,
/// wanted or not. For one thread.
final class ParentMerges {
    /// A merge takes about as much as a save of a base, so it is made for every so many saves at most.
    private static final int WORTH_A_MERGE = 4;

    /// What is read when a training has ended: a second or two of work.
    private static final long MOST_AT_THE_END = 256L << 20;

    /// With room for fewer saves than these on the disk, a merge could take that of the next.
    private static final int ROOM_TO_SPARE = 8;

    /// Merges beside a training take one part of its time in so many, so that one that saves all the time is not
    /// slowed down for a few files.
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

    /// Where as many stay for the sake of others as are wanted: one merge, if it frees enough.
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

    /// One merge that frees any, and takes no long time; empty where there is none.
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
        givenUp.add(chosen.id()); // where it does not read, it is not tried again
        Optional<Commit> merged = merger.merge(chosen);
        givenUp.remove(chosen.id());
        long took = options.environment().time().nanos() - start;
        spentNanos += took;
        return merged.map(made -> new MergeMade(made, chain.size() - 1, Duration.ofNanos(took)));
    }
}
