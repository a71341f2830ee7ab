package dev.cairn.checkpoint;

import java.io.IOException;

/// A checkpoint's tensors are not those of the live state; nothing was restored.
public final class StateMismatchException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient StateDifference difference;

    private StateMismatchException(String message, StateDifference difference) {
        super(message);
        this.difference = difference;
    }

    /// Throws where the difference is more than the matching allows, and says which tensors differ.
    public static void check(StateDifference difference, Matching matching) throws StateMismatchException {
        switch (matching) {
            case WHOLE -> require(difference.isNone(), difference);
            case WEIGHTS -> require(difference.ofModel().isNone(), difference);
            case PARTIAL -> {
                if (!difference.isNone() && difference.fitsNothingOfTheModel()) {
                    throw new StateMismatchException(
                            "no weights of the checkpoint fit the model: " + difference.text()
                                    + "; use another model, or another run",
                            difference);
                }
            }
        }
    }

    private static void require(boolean holds, StateDifference difference) throws StateMismatchException {
        if (!holds) {
            throw new StateMismatchException(
                    difference
                            .ofModel()
                            .pathBefore()
                            .map(path ->
                                    "checkpoint and model differ: the model's names stand behind '%s.' in the checkpoint; import its file with --select %s"
                                            .formatted(path, path))
                            .orElseGet(() ->
                                    "checkpoint and model differ: %s; use the model that made the checkpoint, or a new run%s"
                                            .formatted(difference.text(), partialCure(difference))),
                    difference);
        }
    }

    /// Offered where it would be accepted.
    private static String partialCure(StateDifference difference) {
        int fitting = difference.fitting().size();
        return difference.fitsNothingOfTheModel()
                ? ""
                : ", or --partial to restore the %s"
                        .formatted(fitting == 1 ? "tensor that fits" : fitting + " tensors that fit");
    }

    /// All that differs; the message shows the first few.
    public StateDifference difference() {
        return difference;
    }
}
