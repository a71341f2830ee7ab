package dev.cairn.store.location;

import dev.cairn.store.UnknownNameException;
import java.util.Collection;

/// Thrown if no storage for the scheme of a location is on the class path.
public final class UnknownSchemeException extends UnknownNameException {
    private static final long serialVersionUID = 1;

    UnknownSchemeException(String scheme, Collection<String> known) {
        super("scheme", scheme, known);
    }

    /// The scheme of the location.
    public String scheme() {
        return name();
    }
}
