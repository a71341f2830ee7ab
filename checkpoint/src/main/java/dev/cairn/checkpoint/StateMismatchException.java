package dev.cairn.checkpoint;

import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// A checkpoint's tensors are not those of the live state; nothing was restored.
public final class StateMismatchException extends IOException {
    private static final long serialVersionUID = 1;
    private static final int MOST_SHOWN = 8;

    private StateMismatchException(String message) {
        super(message);
    }

    /// Throws where names, types or shapes differ, and says which.
    static void check(Map<String, TensorSpec> stored, Map<String, TensorSpec> live) throws StateMismatchException {
        var differences = new ArrayList<String>();
        var names = new TreeSet<>(stored.keySet());
        names.addAll(live.keySet());
        for (String name : names) {
            TensorSpec in = stored.get(name);
            TensorSpec to = live.get(name);
            if (in == null) {
                differences.add("missing in the checkpoint: " + to);
            } else if (to == null) {
                differences.add("unknown to the model: " + in);
            } else if (in.type() != to.type() || !in.shape().equals(to.shape())) {
                differences.add("stored as %s, live as %s".formatted(in, to));
            }
        }
        if (!differences.isEmpty()) {
            throw new StateMismatchException("checkpoint and model differ: " + text(differences)
                    + "; use the model that made the checkpoint, or another --run");
        }
    }

    private static String text(List<String> differences) {
        String shown = String.join("; ", differences.subList(0, Math.min(MOST_SHOWN, differences.size())));
        return differences.size() <= MOST_SHOWN
                ? shown
                : shown + "; and " + (differences.size() - MOST_SHOWN) + " more";
    }
}
