package dev.cairn.store.location;

import java.util.Collection;
import java.util.List;

/// A location has a scheme for which no storage is on the class path.
public final class UnknownSchemeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String scheme;
    private final transient List<String> known;

    UnknownSchemeException(String scheme, Collection<String> known) {
        super("unknown scheme '%s'; known: %s".formatted(scheme, String.join(", ", known)));
        this.scheme = scheme;
        this.known = List.copyOf(known);
    }

    /// The scheme that the location has.
    public String scheme() {
        return scheme;
    }

    /// The schemes that would have been found.
    public List<String> known() {
        return known;
    }
}
