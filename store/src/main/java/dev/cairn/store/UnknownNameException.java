package dev.cairn.store;

import java.util.Collection;
import java.util.List;

/// Thrown if a name is not one of a few known names. The message lists the known names.
public class UnknownNameException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String kind;
    private final String name;
    private final transient List<String> known;
    private final String explanation;

    /// Reports an unknown name.
    ///
    /// @param kind what the name stands for, such as `data set`
    public UnknownNameException(String kind, String name, Collection<String> known) {
        this(kind, name, known, "");
    }

    /// Reports an unknown name and explains the known names.
    ///
    /// @param kind what the name stands for, such as `data set`
    /// @param explanation follows the known names in the message
    public UnknownNameException(String kind, String name, Collection<String> known, String explanation) {
        super("unknown %s '%s'; known: %s%s".formatted(kind, name, String.join(", ", known), tail(explanation)));
        this.kind = kind;
        this.name = name;
        this.known = List.copyOf(known);
        this.explanation = explanation;
    }

    private static String tail(String explanation) {
        return explanation.isEmpty() ? "" : "; " + explanation;
    }

    /// What the name stands for.
    public final String kind() {
        return kind;
    }

    /// The unknown name.
    public final String name() {
        return name;
    }

    /// The known names.
    public final List<String> known() {
        return known;
    }

    /// The meaning of the known names; empty if they need none.
    public final String explanation() {
        return explanation;
    }
}
