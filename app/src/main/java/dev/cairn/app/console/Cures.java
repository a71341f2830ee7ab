package dev.cairn.app.console;

import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.StateMismatchException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.train.job.CopyUnavailableException;
import java.util.Optional;

/// The library's exceptions in the words of the command line: their cures are options here.
final class Cures {
    private Cures() {}

    /// Problem and cure in one line; empty if the exception's own message says it as well.
    static Optional<String> line(Throwable e) {
        return switch (e) {
            case StoreLockedException locked -> of(locked);
            case NothingToRestoreException nothing -> of(nothing);
            case StateMismatchException mismatch -> of(mismatch);
            case CopyUnavailableException copy ->
                Optional.of(copy.problem() + "; or start again at step 0 with --fresh, which does not read the copy");
            default -> Optional.empty();
        };
    }

    private static Optional<String> of(StoreLockedException locked) {
        return switch (locked.cure()) {
            case WAIT -> Optional.empty();
            case TAKE_OVER ->
                Optional.of(locked.problem() + "; wait for it to end, stop it, or take the run over with --take-over");
            case STOP_HOLDER ->
                Optional.of(
                        locked.problem() + "; --take-over takes no lock from a live process: stop that process first");
        };
    }

    private static Optional<String> of(NothingToRestoreException nothing) {
        return switch (nothing.cure()) {
            case START_FRESH ->
                Optional.of(nothing.problem()
                        + "; put back a copy, or start over with --fresh (which keeps the damaged files)");
            case OTHER_STEP -> Optional.empty();
        };
    }

    private static Optional<String> of(StateMismatchException mismatch) {
        Optional<String> path = mismatch.pathBefore();
        if (path.isPresent()) {
            return Optional.of(mismatch.problem() + "; import its file with --select " + path.get());
        }
        return mismatch.fitsInPart()
                ? Optional.of(mismatch.problem()
                        + "; use the model that made the checkpoint, or a new run, or --partial to restore "
                        + mismatch.difference().fittingText())
                : Optional.empty();
    }
}
