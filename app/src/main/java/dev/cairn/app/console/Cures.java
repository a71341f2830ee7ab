package dev.cairn.app.console;

import dev.cairn.app.text.UnknownNames;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.StateMismatchException;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.store.MissingParentException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreLockedException;
import dev.cairn.store.UnknownNameException;
import dev.cairn.train.TrainingSettings.RefusedException;
import dev.cairn.train.data.fetch.DataUnavailableException;
import dev.cairn.train.job.CopyUnavailableException;
import java.util.Optional;

/// The library's exceptions in the words of the command line: their cures are options here.
final class Cures {
    private static final String FROM_THE_COPY =
            "; 'cairn repair --copy PLACE' takes it from the run's copy, if there is one";

    private Cures() {}

    /// Problem and cure in one line; empty if the exception's own message says it as well.
    static Optional<String> line(Throwable e) {
        return switch (e) {
            case StoreLockedException locked -> of(locked);
            case NothingToRestoreException nothing -> of(nothing);
            case StateMismatchException mismatch -> of(mismatch);
            case MissingParentException missing -> Optional.of(missing.getMessage() + FROM_THE_COPY);
            case UnknownNameException unknown -> Optional.of(UnknownNames.line(unknown));
            case InvalidSettingException invalid -> Optional.of(option(invalid.setting()) + " " + invalid.problem());
            case RefusedException refused -> of(refused);
            case CopyUnavailableException copy ->
                Optional.of(line(copy.outage()).orElseGet(copy::problem)
                        + "; or start again at step 0 with --fresh, which does not read the copy");
            case StorageUnavailableException outage ->
                outage.setting()
                        .map(setting ->
                                outage.problem() + "; check the network and --" + setting + "; try again later");
            case DataUnavailableException data ->
                Optional.of("%s; %s, or name %s with --data-dir or CAIRN_DATA"
                        .formatted(data.problem(), data.remedy(), data.folder()));
            case DamagedFileException damaged ->
                Optional.of(damaged.problem()
                        + "; the file is damaged or has another format (--format selects the format)");
            case UnsupportedException unsupported ->
                unsupported
                        .otherFormat()
                        .map(format -> "%s; if it is a %s file, use --format %s"
                                .formatted(unsupported.problem(), format, format));
            default -> Optional.empty();
        };
    }

    /// The option of `cairn train` for a setting.
    private static String option(String setting) {
        return switch (setting) {
            case "weightDecay" -> "--weight-decay";
            case "evaluateEvery" -> "--eval-every";
            case "stepsPerEpoch" -> "--steps-per-epoch";
            case "dataOrder" -> "--data-order";
            default -> "--" + setting;
        };
    }

    private static Optional<String> of(RefusedException refused) {
        return refused.difference()
                .map(difference -> "this run has " + difference
                        + "; continue with its settings, choose another --run, or fork it with --from")
                .or(() -> Optional.ofNullable(refused.getCause()).flatMap(Cures::line));
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
        if (nothing.getCause() instanceof MissingParentException) {
            return Optional.of(nothing.problem() + FROM_THE_COPY);
        }
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
