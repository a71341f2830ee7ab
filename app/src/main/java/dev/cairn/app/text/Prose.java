package dev.cairn.app.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Sentences that fit the terminal: they break between words, and go on below where they began. A word that is wider
/// than the terminal, such as a path, stays whole; so do a number and its unit.
public final class Prose {
    /// Stands for a space that no line is broken at; part of no text.
    private static final char TIE = '\0';

    private static final String UNIT = "(?:ms|s|min|h|d|B|kB|[MGTPE]B|%)(?![\\p{L}\\d])";
    private static final Pattern BEFORE_UNIT = Pattern.compile("(?<=\\d) (?=" + UNIT + ")");
    private static final Pattern WITHIN_TIME = Pattern.compile("(?<=\\d\0(?:d|h|min)) (?=\\d+\0" + UNIT + ")");

    private Prose() {}

    /// Prints sentences from the left edge on.
    public static void print(PrintWriter out, String text) {
        print(out, "", text);
    }

    /// Prints sentences beside a head that stands in the first line alone.
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
