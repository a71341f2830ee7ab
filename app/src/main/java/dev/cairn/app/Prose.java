package dev.cairn.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Sentences that fit the terminal: they break between words, and go on below where they began. A word that is wider
/// than the terminal, such as a path, stays whole.
final class Prose {
    private Prose() {}

    /// Prints sentences from the left edge on.
    static void print(PrintWriter out, String text) {
        print(out, "", text);
    }

    /// Prints sentences beside a head that stands in the first line alone.
    static void print(PrintWriter out, String head, String text) {
        lines(head, text, Table.width()).forEach(out::println);
    }

    static List<String> lines(String head, String text, int width) {
        var lines = new ArrayList<String>();
        String indent = " ".repeat(head.length());
        var line = new StringBuilder(head);
        boolean begun = false;
        for (String word : text.split(" ", -1)) {
            if (begun && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                begun = false;
            }
            line.append(begun ? " " : "").append(word);
            begun = true;
        }
        lines.add(line.toString());
        return lines;
    }
}
