package dev.cairn.formats.file;

import java.util.ArrayList;
import java.util.List;

/// What is left out of a file, one line each, up to a limit.
public final class Notes {
    private static final int MOST = 20;

    private final List<String> lines = new ArrayList<>();
    private int more;

    /// Adds a line. Lines beyond a limit are only counted.
    ///
    /// @param form format of the line, with one `%s` for a name from the file
    public void add(String form, String name) {
        if (lines.size() < MOST) {
            lines.add(form.formatted(FormatException.printable(name)));
        } else {
            more++;
        }
    }

    /// All lines, and at the end the number of lines beyond the limit.
    public List<String> lines() {
        var all = new ArrayList<>(lines);
        if (more > 0) {
            all.add("%,d more".formatted(more));
        }
        return List.copyOf(all);
    }
}
