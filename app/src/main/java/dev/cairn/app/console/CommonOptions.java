package dev.cairn.app.console;

import picocli.CommandLine.Option;

/// Options that mean the same in every command.
public final class CommonOptions {
    @Option(
            names = "--json",
            description =
                    "Print the result as one JSON document, for scripts. Errors are still one line on standard error.")
    public boolean json;

    @Option(names = "--verbose", description = "Show the stack trace of an error.")
    public boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    public boolean help;
}
