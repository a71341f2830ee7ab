package dev.cairn.app.text;

import dev.cairn.store.UnknownNameException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Describes names that are unknown, with the known name that the user probably meant.
public final class UnknownNames {
    private static final int MOST_LETTERS_WRONG = 2;

    private UnknownNames() {}

    /// The problem and its cure in one line.
    public static String line(UnknownNameException e) {
        String known = line(e.kind(), e.name(), e.known());
        return e.explanation().isEmpty() ? known : known + "; " + e.explanation();
    }

    /// The problem and its cure in one line.
    ///
    /// @param kind what the name stands for, such as `data set`
    public static String line(String kind, String name, List<String> known) {
        return "unknown %s '%s'%s; known: %s"
                .formatted(
                        kind,
                        name,
                        closest(name, known)
                                .map(meant -> " (did you mean '" + meant + "'?)")
                                .orElse(""),
                        String.join(", ", known));
    }

    private static Optional<String> closest(String name, List<String> known) {
        String typed = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> lettersApart(candidate, typed) <= MOST_LETTERS_WRONG)
                .min(Comparator.comparingInt(candidate -> lettersApart(candidate, typed)));
    }

    /// The number of letters that only one of the words has; 0 if only their order differs.
    public static int lettersApart(String known, String typed) {
        var counts = new HashMap<Integer, Integer>();
        known.chars().forEach(letter -> counts.merge(letter, 1, Integer::sum));
        typed.chars().forEach(letter -> counts.merge(letter, -1, Integer::sum));
        return counts.values().stream().mapToInt(Math::abs).sum();
    }
}
