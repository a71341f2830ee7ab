package dev.cairn.checkpoint;

import java.io.IOException;
import java.util.Optional;

/// The tensors of a checkpoint do not match the live state. Nothing was restored.
public final class StateMismatchException extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final transient StateDifference difference;

    private StateMismatchException(String problem, String cure, StateDifference difference) {
        super(problem + "; " + cure);
        this.problem = problem;
        this.difference = difference;
    }

    /// Throws if the matching does not allow the difference. The message names the tensors that differ.
    public static void check(StateDifference difference, Matching matching) throws StateMismatchException {
        switch (matching) {
            case WHOLE -> require(difference.isNone(), difference);
            case WEIGHTS -> require(difference.ofModel().isNone(), difference);
            case PARTIAL -> {
                if (!difference.isNone() && difference.fitsNothingOfTheModel()) {
                    throw new StateMismatchException(
                            "no weights of the checkpoint fit the model: " + difference.text(),
                            "use another model, or another run",
                            difference);
                }
            }
        }
    }

    private static void require(boolean holds, StateDifference difference) throws StateMismatchException {
        if (holds) {
            return;
        }
        Optional<String> path = difference.ofModel().pathBefore();
        if (path.isPresent()) {
            throw new StateMismatchException(
                    "checkpoint and model differ: the model's names have the prefix '%s.' in the checkpoint"
                            .formatted(path.get()),
                    "give the tensors of the state the same names",
                    difference);
        }
        throw new StateMismatchException(
                "checkpoint and model differ: " + difference.text(),
                "use the model that made the checkpoint, or a new run"
                        + (difference.fitsNothingOfTheModel()
                                ? ""
                                : ", or Matching.PARTIAL to restore " + difference.fittingText()),
                difference);
    }

    /// The message without its advice.
    public String problem() {
        return problem;
    }

    /// All differences. The message shows only the first few.
    public StateDifference difference() {
        return difference;
    }

    /// The prefix, without its dot, that the names of all weights have in the checkpoint, if there is no other
    /// difference: as after the import of a file with nested names.
    public Optional<String> pathBefore() {
        return difference.ofModel().pathBefore();
    }

    /// Whether [Matching#PARTIAL] would restore something.
    public boolean fitsInPart() {
        return !difference.fitsNothingOfTheModel();
    }
}
