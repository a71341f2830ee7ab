package dev.cairn.formats;

import java.util.ArrayList;
import java.util.List;

/// What is left out of a file, a line each, as far as anybody reads them.
final class Notes {
    private static final int MOST = 20;

    private final List<String> lines = new ArrayList<>();
    private int more;

    /// @param form of the line, with a place for a name of the file's
    void add(String form, String name) {
        if (lines.size() < MOST) {
            lines.add(form.formatted(FormatException.printable(name)));
        } else {
            more++;
        }
    }

    List<String> lines() {
        var all = new ArrayList<>(lines);
        if (more > 0) {
            all.add("%,d more".formatted(more));
        }
        return List.copyOf(all);
    }
}
