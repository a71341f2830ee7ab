package dev.cairn.formats.file;

import java.util.ArrayList;
import java.util.List;

/// What is left out of a file, a line each, as far as anybody reads them.
public final class Notes {
    private static final int MOST = 20;

    private final List<String> lines = new ArrayList<>();
    private int more;

    /// Adds a line; those beyond a limit are only counted.
    ///
    /// @param form of the line, with a place for a name of the file's
    public void add(String form, String name) {
        if (lines.size() < MOST) {
            lines.add(form.formatted(FormatException.printable(name)));
        } else {
            more++;
        }
    }

    /// All lines, and at the end how many more there were.
    public List<String> lines() {
        var all = new ArrayList<>(lines);
        if (more > 0) {
            all.add("%,d more".formatted(more));
        }
        return List.copyOf(all);
    }
}
