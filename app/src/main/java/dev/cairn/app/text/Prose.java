package dev.cairn.app.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Prints sentences that fit the terminal. Lines break between words and continue below the start of the text. A word
/// that is wider than the terminal, such as a path, is not split. Neither are a number and its unit.
public final class Prose {
    /// Stands for a space at which a line must not break; never part of a text.
    private static final char TIE = '\0';

    private static final String UNIT = "(?:ms|s|min|h|d|B|kB|[MGTPE]B|%)(?![\\p{L}\\d])";
    private static final Pattern BEFORE_UNIT = Pattern.compile("(?<=\\d) (?=" + UNIT + ")");
    private static final Pattern WITHIN_TIME = Pattern.compile("(?<=\\d\0(?:d|h|min)) (?=\\d+\0" + UNIT + ")");

    private Prose() {}

    /// Prints sentences, starting at the left edge.
    public static void print(PrintWriter out, String text) {
        print(out, "", text);
    }

    /// Prints sentences to the right of a head, which is only in the first line.
    public static void print(PrintWriter out, String head, String text) {
        lines(head, text, Table.width()).forEach(out::println);
    }

    public static List<String> lines(String head, String text, int width) {
        var lines = new ArrayList<String>();
        String indent = " ".repeat(head.length());
        var line = new StringBuilder(head);
        boolean begun = false;
        for (String word : tied(text).split(" ", -1)) {
            if (begun && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                begun = false;
            }
            line.append(begun ? " " : "").append(word);
            begun = true;
        }
        lines.add(line.toString());
        lines.replaceAll(each -> each.replace(TIE, ' '));
        return lines;
    }

    private static String tied(String text) {
        String tie = String.valueOf(TIE);
        return WITHIN_TIME.matcher(BEFORE_UNIT.matcher(text).replaceAll(tie)).replaceAll(tie);
    }
}
