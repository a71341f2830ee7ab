package dev.cairn.train.batch;

import dev.cairn.engine.InvalidSettingException;
import java.util.List;

/// In which order the examples come.
///
/// @param isSharded whether each worker has its own part of the examples, and repeats it for itself; otherwise there is
///     one order for all, in which each example comes once an epoch
/// @param shuffle the number of examples in the shuffle buffer of a worker that has its own part
public record ExampleOrder(boolean isSharded, int shuffle) {
    /// The names of the orders.
    public static final List<String> NAMES = List.of("global", "shard");

    /// One order for all.
    public static final ExampleOrder GLOBAL = new ExampleOrder(false, 0);

    public static final int USUAL_SHUFFLE = 10_000;

    public ExampleOrder {
        if (isSharded && shuffle < 1) {
            throw new InvalidSettingException("shuffle", "must be at least 1, not " + shuffle);
        }
    }

    public static ExampleOrder of(String name, int shuffle) {
        return switch (name) {
            case "global" -> GLOBAL;
            case "shard" -> new ExampleOrder(true, shuffle);
            default ->
                throw new InvalidSettingException(
                        "dataOrder", "must be one of %s, not '%s'".formatted(String.join(", ", NAMES), name));
        };
    }

    public String label() {
        return isSharded ? "shard" : "global";
    }
}
