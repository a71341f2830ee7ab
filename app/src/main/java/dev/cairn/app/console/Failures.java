package dev.cairn.app.console;

import dev.cairn.app.text.UnknownNames;
import dev.cairn.checkpoint.NoSuchCheckpointException;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.StateMismatchException;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.train.TrainingSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Turns an exception into one line and an exit code. Shows the stack trace only with `--verbose`.
public final class Failures {
    /// The message of picocli about a word that is not one of a few allowed words. The groups are the option or the
    /// parameter's label, the allowed words, and the word.
    private static final Pattern NONE_OF =
            Pattern.compile("[-(](\\w+)[')][^:]*: expected one of \\[(.*)] \\(case-[a-z]+\\) but was '(.*)'");

    /// The start of picocli's message if `help` is asked for a command that does not exist.
    private static final String NO_HELP = "Unknown subcommand";

    private Failures() {}

    public static int onUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        String problem = unknown(e)
                .map(Failures::describe)
                .orElseGet(() -> unknownHelp(e).orElseGet(() -> plain(firstLine(e))));
        err.println(line(problem + "; see '" + command.getCommandSpec().qualifiedName() + " --help'"));
        return ExitCode.USAGE;
    }

    public static int onException(Exception e, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println(line(describe(e)));
        if (command.getParseResult() != null && command.getParseResult().hasMatchedOption("--verbose")) {
            e.printStackTrace(err);
        }
        return exitCode(e);
    }

    private static int exitCode(Exception e) {
        return switch (e) {
            case DamagedException _, NewerFormatException _, NothingToRestoreException _, DamagedFileException _ ->
                ExitCode.DAMAGED;
            case TrainingSettings.RefusedException _,
                    StateMismatchException _,
                    NoSuchCheckpointException _,
                    NotDirectoryException _ -> ExitCode.USAGE;
            default -> ExitCode.FAILED;
        };
    }

    /// Problem, cause and cure of an exception, in one line.
    public static String describe(Throwable e) {
        return Cures.line(e).orElseGet(() -> describeOther(e));
    }

    private static String describeOther(Throwable e) {
        return switch (e) {
            case NotDirectoryException file -> "not a folder: " + file.getFile() + "; give a folder";
            case AccessDeniedException denied ->
                "no permission: " + denied.getFile() + "; change its permissions, or choose another folder";
            case NoSuchFileException missing ->
                "cannot create or find " + missing.getFile() + "; choose a writable folder";
            case FileSystemException file -> {
                String reason = file.getReason() == null ? file.getClass().getSimpleName() : file.getReason();
                yield "cannot write or read " + file.getFile() + ": " + reason + cure(reason);
            }
            case StorageUnavailableException outage -> firstLine(outage) + openFilesCure(firstLine(outage));
            case IOException io -> firstLine(io) + cure(firstLine(io));
            case Error error -> FatalErrors.describe(error);
            default -> e.getCause() instanceof Error error ? FatalErrors.describe(error) : firstLine(e);
        };
    }

    private static String cure(String reason) {
        if (reason.contains("No space left")) {
            return "; free some space, or choose a folder on another disk";
        }
        if (reason.contains("Input/output error")) {
            return "; check the disk or the network that it is on, then start again";
        }
        if (reason.contains("File name too long")) {
            return "; choose a shorter name";
        }
        if (reason.contains("Too many levels of symbolic links")) {
            return "; a link in this path leads back to itself: remove it, or choose another path";
        }
        return reason.contains("Read-only") ? "; choose a writable folder" : openFilesCure(reason);
    }

    private static String openFilesCure(String reason) {
        return reason.contains(FatalErrors.OPEN_FILES) ? FatalErrors.MORE_OPEN_FILES : "";
    }

    /// The unknown word on the command line, if there is one. If a parameter is missing, an unknown option may be
    /// its misspelling.
    private static Optional<UnmatchedArgumentException> unknown(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> Optional.of(unmatched);
            case MissingParameterException _ ->
                e.getCommandLine().getUnmatchedArguments().stream()
                        .filter(word -> word.startsWith("-"))
                        .findFirst()
                        .map(word -> new UnmatchedArgumentException(e.getCommandLine(), List.of(word)));
            default -> Optional.empty();
        };
    }

    /// The problem with `cairn help trian`.
    private static Optional<String> unknownHelp(ParameterException e) {
        return e.getValue() != null && firstLine(e).startsWith(NO_HELP)
                ? Optional.of(UnknownNames.line(
                        "command",
                        e.getValue(),
                        List.copyOf(e.getCommandLine().getSubcommands().keySet())))
                : Optional.empty();
    }

    /// Names the unknown word, and the known word that was probably meant.
    private static String describe(UnmatchedArgumentException e) {
        String typed = e.getUnmatched().getFirst();
        var commands = e.getCommandLine().getSubcommands().keySet();
        boolean command = !commands.isEmpty() && !typed.startsWith("-");
        String what = command ? "unknown command" : typed.startsWith("-") ? "unknown option" : "unexpected argument";
        List<String> close = e.getSuggestions().stream()
                .sorted(Comparator.comparingInt(known -> UnknownNames.lettersApart(known, typed)))
                .toList();
        String meant = close.isEmpty()
                ? command ? "; known: " + String.join(", ", commands) : ""
                : " (did you mean '" + close.getFirst() + "'?)";
        return what + " '" + typed + "'" + meant;
    }

    /// Rewrites a message of picocli in plain words.
    private static String plain(String problem) {
        Matcher choice = NONE_OF.matcher(problem);
        if (choice.find()) {
            return UnknownNames.line(
                    choice.group(1).toLowerCase(Locale.ROOT),
                    choice.group(3),
                    List.of(choice.group(2).toLowerCase(Locale.ROOT).split(", ")));
        }
        String words = problem.replaceAll("is not an? (long|int)$", "is not a whole number")
                .replaceAll("is not a double$", "is not a number");
        return Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }

    private static String firstLine(Throwable e) {
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        return message.lines().findFirst().orElse(message);
    }

    private static String line(String text) {
        return "cairn: " + text;
    }
}
