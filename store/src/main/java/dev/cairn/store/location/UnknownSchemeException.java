package dev.cairn.store.location;

import java.util.Collection;
import java.util.List;

/// Thrown if no storage for the scheme of a location is on the class path.
public final class UnknownSchemeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String scheme;
    private final transient List<String> known;

    UnknownSchemeException(String scheme, Collection<String> known) {
        super("unknown scheme '%s'; known: %s".formatted(scheme, String.join(", ", known)));
        this.scheme = scheme;
        this.known = List.copyOf(known);
    }

    /// The scheme of the location.
    public String scheme() {
        return scheme;
    }

    /// The schemes of the storage on the class path.
    public List<String> known() {
        return known;
    }
}
