package dev.cairn.app;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Failures;
import dev.cairn.app.console.FatalErrors;
import dev.cairn.app.console.LogLines;
import dev.cairn.app.console.Version;
import dev.cairn.app.demo.DemoCommand;
import dev.cairn.app.inspect.DiffCommand;
import dev.cairn.app.inspect.LsCommand;
import dev.cairn.app.inspect.PsCommand;
import dev.cairn.app.inspect.ShowCommand;
import dev.cairn.app.inspect.VerifyCommand;
import dev.cairn.app.keep.MergeCommand;
import dev.cairn.app.keep.PruneCommand;
import dev.cairn.app.keep.RepairCommand;
import dev.cairn.app.machine.BenchCommand;
import dev.cairn.app.machine.CompletionCommand;
import dev.cairn.app.machine.DoctorCommand;
import dev.cairn.app.notice.Signals;
import dev.cairn.app.pages.DashboardCommand;
import dev.cairn.app.pages.ReportCommand;
import dev.cairn.app.plan.PlanCommand;
import dev.cairn.app.plan.RecoveryLineCommand;
import dev.cairn.app.plan.SimulateCommand;
import dev.cairn.app.run.LocationArguments;
import dev.cairn.app.train.EvalCommand;
import dev.cairn.app.train.TrainCommand;
import dev.cairn.app.transfer.ExportCommand;
import dev.cairn.app.transfer.ImportCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The command `cairn`. [#run] does everything except end the process, so that tests can call it in-process.
@Command(
        name = "cairn",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Keeps machine-learning training runs alive: checkpoints them automatically, and "
                + "resumes them after any failure.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes:",
            "   0  done",
            "   1  the work failed: the disk is full, the last save failed, the copy is not",
            "      complete, another process writes the run, or a benchmark is below its",
            "      required value",
            "   2  wrong usage, or options that contradict the run; nothing was done",
            "   3  a store or checkpoint is damaged, or comes from a later version of Cairn",
            "  75  stopped by a notice, with or without a last save (a line says which);",
            "      start the same command again to continue",
            "An error is one line on standard error, also with --json. Standard output is",
            "then empty, unless there is a result to report (train, verify, bench).",
            "",
            "'cairn COMMAND --help' describes a command and its options."
        })
public final class Main implements Runnable {
    /// The commands, in the order in which help lists them.
    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            TrainCommand.class,
            LsCommand.class,
            PsCommand.class,
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
            DashboardCommand.class,
            ReportCommand.class,
            DoctorCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            CommandLine.HelpCommand.class);

    /// The character that Java substitutes for each byte of an argument that is not valid text.
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
        // Numbers look the same everywhere, for scripts and for people who compare results.
        Locale.setDefault(Locale.ROOT);
        var out = new PrintWriter(System.out, false, System.out.charset());
        var err = new PrintWriter(System.err, true, System.err.charset());
        // Without this, an exception that a thread does not catch would print its stack trace on the terminal.
        Thread.setDefaultUncaughtExceptionHandler(new FatalErrors(err, args));
        LogLines.show(err);
        int code = run(out, err, args);
        if (out.checkError() && code == ExitCode.DONE) {
            err.println("cairn: cannot write to standard output");
            code = ExitCode.FAILED;
        }
        err.flush();
        System.exit(code);
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        for (String arg : args) {
            if (arg.indexOf(NOT_TEXT) >= 0) {
                err.println("cairn: not valid %s: '%s'; Java cannot tell such file names apart: rename it"
                        .formatted(System.getProperty("sun.jnu.encoding"), arg));
                return ExitCode.USAGE;
            }
        }
        var fatal = new FatalErrors(err, args); // now: after a fatal error, classes may fail to load
        try {
            return LocationArguments.register(commandLine(args))
                    .setOut(out)
                    .setErr(err)
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .setUsageHelpAutoWidth(true)
                    .setParameterExceptionHandler(Failures::onUsage)
                    .setExecutionExceptionHandler(Failures::onException)
                    .execute(args);
        } catch (RuntimeException | Error e) { // picocli handles only exceptions of commands
            return fatal.report(e);
        }
    }

    /// The command line with all commands.
    static CommandLine commandLine() {
        var whole = new CommandLine(new Main());
        COMMANDS.forEach(whole::addSubcommand);
        return whole;
    }

    /// The command line with the commands that these arguments need: reading the options of all commands takes a
    /// tenth of a second.
    private static CommandLine commandLine(String... args) {
        for (Class<?> command : COMMANDS) {
            Command described = command.getAnnotation(Command.class);
            if (args.length > 0 && described != null && described.name().equals(args[0]) && isAlone(command)) {
                return new CommandLine(new Main()).addSubcommand(command);
            }
        }
        return commandLine();
    }

    /// Whether a command works without knowing the other commands.
    private static boolean isAlone(Class<?> command) {
        return command != CompletionCommand.class && command != CommandLine.HelpCommand.class;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
    }
}
