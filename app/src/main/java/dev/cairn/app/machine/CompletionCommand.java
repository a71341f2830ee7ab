package dev.cairn.app.machine;

import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.LocationArguments;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn completion`.
@Command(
        name = "completion",
        description = "Prints a script with which a shell completes Cairn's commands and options.",
        footer = {
            "",
            "bash:  source <(cairn completion bash)",
            "zsh:   source <(cairn completion zsh)",
            "fish:  cairn completion fish | source",
            "",
            "Add the line to the shell's start-up file to make it permanent. The shell must",
            "find the command by its name: ln -s \"$PWD/cairn\" ~/.local/bin/"
        })
public final class CompletionCommand implements Callable<Integer> {
    /// The shells for which there is a script.
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "The shell: one of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    CompletionCommand() {}

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        LocationArguments.completeAsPaths(root.getCommandSpec());
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (shell) {
                    // In zsh, the script loads bashcompinit.
                    case bash, zsh -> AutoComplete.bash("cairn", root);
                    case fish -> new FishCompletion(root).script();
                });
        out.flush();
        return ExitCode.DONE;
    }
}
