package dev.cairn.app;

import picocli.CommandLine.Option;

/// Options that mean the same in every command.
final class CommonOptions {
    @Option(
            names = "--json",
            description =
                    "Print one JSON document on standard output, for scripts. Errors stay one line on standard error.")
    boolean json;

    @Option(names = "--verbose", description = "Show the stack of an error.")
    boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;
}
