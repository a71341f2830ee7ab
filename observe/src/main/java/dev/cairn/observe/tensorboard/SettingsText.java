package dev.cairn.observe.tensorboard;

import dev.cairn.observe.TrainingEvent.Started;
import java.util.Locale;

/// The settings of a training as a table in Markdown.
final class SettingsText {
    private static final int LONGEST = 2000;

    private SettingsText() {}

    static String of(Started started) {
        var table = new StringBuilder("| setting | value |\n|---|---|\n");
        row(table, "begin", started.begin().name().toLowerCase(Locale.ROOT) + " at step " + started.step());
        started.settings().asMap().forEach((name, value) -> row(table, name, String.valueOf(value)));
        return table.toString();
    }

    private static void row(StringBuilder table, String name, String value) {
        table.append("| ").append(cell(name)).append(" | ").append(cell(value)).append(" |\n");
    }

    /// Neither ends the cell or the line, nor is read as something else than text.
    private static String cell(String text) {
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        return shown.replaceAll("\\p{Cntrl}", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replaceAll("([\\\\`*_{}\\[\\]|])", "\\\\$1");
    }
}
