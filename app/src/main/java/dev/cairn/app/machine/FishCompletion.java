package dev.cairn.app.machine;

import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// A script with which fish completes commands, options and their values, with a line of help for each.
///
/// @param root the program's command line
record FishCompletion(CommandLine root) {
    String script() {
        var script = new StringBuilder("# fish completion of cairn: cairn completion fish | source\n");
        var commands = new TreeMap<>(root.getSubcommands());
        String none = "not __fish_seen_subcommand_from " + String.join(" ", commands.keySet());
        commands.forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                script.append("complete -c cairn -n %s -f -a %s -d %s%n"
                        .formatted(quoted(none), name, quoted(firstSentence(command.getCommandSpec()))));
            }
        });
        addOptions(script, none, root.getCommandSpec());
        commands.forEach(
                (name, command) -> addOptions(script, "__fish_seen_subcommand_from " + name, command.getCommandSpec()));
        return script.toString();
    }

    private static void addOptions(StringBuilder script, String condition, CommandSpec command) {
        for (OptionSpec option : command.options()) {
            if (option.hidden()) {
                continue;
            }
            script.append("complete -c cairn -n ").append(quoted(condition));
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            if (option.arity().max() > 0) {
                script.append(" -r");
            }
            if (option.completionCandidates() != null) {
                script.append(" -f -a ").append(quoted(String.join(" ", option.completionCandidates())));
            }
            String[] description = option.description();
            script.append(" -d ").append(quoted(description.length == 0 ? "" : firstSentence(description[0])));
            script.append('\n');
        }
        addValues(script, condition, command);
    }

    /// Adds the words of parameters that take one of a few.
    private static void addValues(StringBuilder script, String condition, CommandSpec command) {
        command.positionalParameters().stream()
                .filter(parameter -> parameter.completionCandidates() != null)
                .forEach(parameter -> script.append("complete -c cairn -n %s -f -a %s%n"
                        .formatted(quoted(condition), quoted(String.join(" ", parameter.completionCandidates())))));
    }

    private static String firstSentence(CommandSpec command) {
        String[] description = command.usageMessage().description();
        return description.length == 0 ? "" : firstSentence(description[0]);
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text : text.substring(0, end);
        return sentence.strip();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
