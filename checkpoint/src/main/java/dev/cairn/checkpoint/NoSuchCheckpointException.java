package dev.cairn.checkpoint;

import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A run does not have the checkpoint that was asked for. The message names the steps that it has.
public final class NoSuchCheckpointException extends IOException {
    private static final long serialVersionUID = 1;
    private static final int FIRST_SHOWN = 5;
    private static final int LAST_SHOWN = 10;

    /// Creates the exception for a selector that finds nothing among these entries of the run with this name.
    public NoSuchCheckpointException(String run, Selector selector, List<Entry> entries) {
        super(message(run, selector, entries));
    }

    private static String message(String run, Selector selector, List<Entry> entries) {
        List<Long> steps = steps(entries);
        if (steps.isEmpty()) {
            return "run %s has no checkpoint to start from; choose another run".formatted(run);
        }
        String wanted = switch (selector) {
            case Selector.Latest _ -> "no checkpoint that can be read";
            case Selector.AtStep(long step) -> "no checkpoint of step " + step;
            case Selector.UpTo upTo -> "no checkpoint up to step " + upTo.step();
            case Selector.Best(var metrics) ->
                "no checkpoint with a value of "
                        + metrics.stream().map(metric -> metric.name()).collect(Collectors.joining(" or "));
        };
        return "run %s has %s; its steps are %s".formatted(run, wanted, text(steps));
    }

    private static List<Long> steps(List<Entry> entries) {
        var steps = new ArrayList<Long>();
        for (Entry entry : entries) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                steps.add(checkpoint.step());
            }
        }
        return steps.stream().distinct().sorted().toList();
    }

    private static String text(List<Long> steps) {
        if (steps.size() <= FIRST_SHOWN + LAST_SHOWN) {
            return joined(steps);
        }
        return "%s, … (%d in all) …, %s"
                .formatted(
                        joined(steps.subList(0, FIRST_SHOWN)),
                        steps.size(),
                        joined(steps.subList(steps.size() - LAST_SHOWN, steps.size())));
    }

    private static String joined(List<Long> steps) {
        return steps.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
