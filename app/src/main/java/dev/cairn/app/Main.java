package dev.cairn.app;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Failures;
import dev.cairn.app.console.FatalErrors;
import dev.cairn.app.console.LogLines;
import dev.cairn.app.console.Version;
import dev.cairn.app.demo.DemoCommand;
import dev.cairn.app.inspect.DiffCommand;
import dev.cairn.app.inspect.LsCommand;
import dev.cairn.app.inspect.ShowCommand;
import dev.cairn.app.inspect.VerifyCommand;
import dev.cairn.app.keep.MergeCommand;
import dev.cairn.app.keep.PruneCommand;
import dev.cairn.app.keep.RepairCommand;
import dev.cairn.app.machine.BenchCommand;
import dev.cairn.app.machine.CompletionCommand;
import dev.cairn.app.machine.DoctorCommand;
import dev.cairn.app.plan.PlanCommand;
import dev.cairn.app.plan.RecoveryLineCommand;
import dev.cairn.app.plan.SimulateCommand;
import dev.cairn.app.run.LocationArguments;
import dev.cairn.app.train.EvalCommand;
import dev.cairn.app.train.Signals;
import dev.cairn.app.train.TrainCommand;
import dev.cairn.app.transfer.ExportCommand;
import dev.cairn.app.transfer.ImportCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `cairn`. [#run] is the whole program but for the process's end, so that tests call it in-process.
@Command(
        name = "cairn",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Keeps machine-learning training runs alive: checkpoints them by itself, and after any failure "
                + "brings them back to where they were.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes:",
            "   0  done",
            "   1  the work failed: a full disk, a last save that failed, a copy that is not",
            "      complete, a run that another process writes, a benchmark below what it",
            "      must reach",
            "   2  wrong usage, or options that contradict the run: nothing was done",
            "   3  a store or checkpoint is damaged, or of a later version of Cairn",
            "  75  stopped on notice, with or without a last save (a line says which):",
            "      start the same command again",
            "An error is one line on standard error, with --json too; then standard output",
            "has no document, unless there is a result to tell (train, verify, bench).",
            "",
            "'cairn COMMAND --help' tells more about a command."
        })
public final class Main implements Runnable {
    /// In the order in which help shows them.
    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            TrainCommand.class,
            LsCommand.class,
            ShowCommand.class,
            DiffCommand.class,
            EvalCommand.class,
            VerifyCommand.class,
            RepairCommand.class,
            MergeCommand.class,
            PruneCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            PlanCommand.class,
            RecoveryLineCommand.class,
            SimulateCommand.class,
            DoctorCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            CommandLine.HelpCommand.class);

    /// What Java makes of every byte of an argument that is not text.
    private static final char NOT_TEXT = '\uFFFD';

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("train")) {
            Signals.install();
        }
        // Numbers look the same everywhere, for scripts and for people who compare them.
        Locale.setDefault(Locale.ROOT);
        var out = new PrintWriter(System.out, false, System.out.charset());
        var err = new PrintWriter(System.err, true, System.err.charset());
        // What a thread of our own does not catch would be a stack of its own on the terminal.
        Thread.setDefaultUncaughtExceptionHandler(new FatalErrors(err, args));
        LogLines.show(err);
        int code = run(out, err, args);
        if (out.checkError() && code == ExitCode.DONE) {
            err.println("cairn: standard output cannot be written");
            code = ExitCode.FAILED;
        }
        err.flush();
        System.exit(code);
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        for (String arg : args) {
            if (arg.indexOf(NOT_TEXT) >= 0) {
                err.println("cairn: not valid %s: '%s': two such names would be one file to Java; rename it"
                        .formatted(System.getProperty("sun.jnu.encoding"), arg));
                return ExitCode.USAGE;
            }
        }
        var fatal = new FatalErrors(err, args); // now: later no class may be loaded any more
        try {
            return LocationArguments.register(commandLine(args))
                    .setOut(out)
                    .setErr(err)
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .setUsageHelpAutoWidth(true)
                    .setParameterExceptionHandler(Failures::onUsage)
                    .setExecutionExceptionHandler(Failures::onException)
                    .execute(args);
        } catch (RuntimeException | Error e) { // picocli hands on exceptions of commands only
            return fatal.report(e);
        }
    }

    /// The whole program.
    static CommandLine commandLine() {
        var whole = new CommandLine(new Main());
        COMMANDS.forEach(whole::addSubcommand);
        return whole;
    }

    /// As much of the program as these arguments need: to look at the options of all commands takes a tenth of a
    /// second.
    private static CommandLine commandLine(String... args) {
        for (Class<?> command : COMMANDS) {
            Command described = command.getAnnotation(Command.class);
            if (args.length > 0 && described != null && described.name().equals(args[0]) && isAlone(command)) {
                return new CommandLine(new Main()).addSubcommand(command);
            }
        }
        return commandLine();
    }

    /// Whether a command does its work without knowing the others.
    private static boolean isAlone(Class<?> command) {
        return command != CompletionCommand.class && command != CommandLine.HelpCommand.class;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
    }
}
