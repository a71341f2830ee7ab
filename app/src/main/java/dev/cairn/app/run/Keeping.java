package dev.cairn.app.run;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.store.Clock;
import dev.cairn.store.DamagedException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.retention.Metric;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.retention.RetentionPolicy.BestN;
import dev.cairn.store.writing.PrunePlan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Explains why a run has its checkpoints, by what its last training was told to keep.
///
/// @param keep the text of `--keep`
/// @param parents the numbers of checkpoints that stay only because others are built on them
/// @param unmeasured a note about a metric that no checkpoint has
public record Keeping(String keep, History history, PrunePlan plan, Set<Long> parents, Optional<String> unmeasured) {
    /// Reads what to keep from the newest record that has it. Empty if no record has it, as after an import.
    /// Reads no files.
    public static Optional<Keeping> of(History history) throws IOException {
        List<Commit> checkpoints = history.currentCheckpoints();
        Optional<String> keep = checkpoints.isEmpty()
                ? Optional.empty()
                : checkpoints.getLast().attributes().text(CheckpointOptions.KEEP);
        if (keep.isEmpty()) {
            return Optional.empty();
        }
        Retention retention;
        try {
            retention = Retention.parse(keep.get());
        } catch (IllegalArgumentException ofALaterVersion) {
            return Optional.empty();
        }
        PrunePlan plan = PrunePlan.of(history, retention, Clock.system().now(), _ -> true);
        return Optional.of(new Keeping(
                retention.text(), history, plan, Set.copyOf(plan.needed()), unmeasured(retention, history)));
    }

    /// Whether a checkpoint stays only because others are built on it.
    public boolean isParentOnly(long number) {
        return parents.contains(number);
    }

    /// Explains why there are more checkpoints than asked for; empty if there are not.
    public Optional<String> note() {
        Optional<String> all = held(history).or(() -> unmeasured);
        if (all.isPresent()) {
            return all;
        }
        int needed = parents.size();
        int unwanted = plan.removed().size();
        if (needed == 0 && unwanted == 0) {
            return Optional.empty();
        }
        return Optional.of("--keep %s selects %d%s%s"
                .formatted(
                        keep,
                        plan.kept().size() - needed,
                        needed == 0
                                ? ""
                                : needed == 1
                                        ? "; 1 more stays because those are built on it"
                                        : "; %d more stay because those are built on them".formatted(needed),
                        unwanted == 0 ? "" : "; one of the next saves removes the other %d".formatted(unwanted)));
    }

    /// Explains why no checkpoint before an unreadable record is removed; empty if all records can be read.
    public static Optional<String> held(History history) {
        return history.current().stream()
                .filter(Entry.Unreadable.class::isInstance)
                .findFirst()
                .map(unreadable ->
                        "as long as %s cannot be read, nothing that was saved before it is removed: it may be needed"
                                .formatted(unreadable.file()));
    }

    /// Says that a retention keeps the best by a metric that no checkpoint has: the name may be wrong, so all
    /// checkpoints stay.
    public static Optional<String> unmeasured(Retention retention, History history) {
        List<Commit> checkpoints = history.currentCheckpoints();
        return retention.policies().stream()
                .filter(policy -> policy instanceof BestN best
                        && !best.metrics().equals(Metric.USUAL)
                        && best.metrics().stream().noneMatch(metric -> isMeasured(metric, checkpoints)))
                .findFirst()
                .map(best ->
                        "no checkpoint has the metric of --keep %s, so all checkpoints stay".formatted(best.text()));
    }

    private static boolean isMeasured(Metric metric, List<Commit> checkpoints) {
        return checkpoints.stream()
                .anyMatch(checkpoint ->
                        checkpoint.attributes().number(metric.name()).isPresent());
    }

    /// Explains why this checkpoint still exists.
    public String reason(Commit checkpoint) {
        long number = checkpoint.number();
        if (!plan.kept().contains(number)) {
            return "no longer selected by --keep %s: one of the next saves removes it".formatted(keep);
        }
        if (!isParentOnly(number)) {
            return "selected by --keep " + keep;
        }
        String child = history.currentCheckpoints().stream()
                .filter(each -> !isParentOnly(each.number()) && isBuiltOn(each, number))
                .findFirst()
                .map(each -> "step " + each.step())
                .orElse("another");
        return "only because %s is built on it; --keep %s does not select it".formatted(child, keep);
    }

    private boolean isBuiltOn(Commit child, long number) {
        try {
            return history.chain(child).stream().anyMatch(link -> link.number() == number);
        } catch (DamagedException broken) {
            return false;
        }
    }
}
