package dev.cairn.store.location;

import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;

/// The storage providers on the class path.
final class StorageProviders {
    private StorageProviders() {}

    /// @throws UnknownSchemeException if there is no provider for this scheme
    static StorageProvider of(String scheme) {
        for (StorageProvider provider : ServiceLoader.load(StorageProvider.class)) {
            if (provider.scheme().equals(scheme)) {
                return provider;
            }
        }
        SortedSet<String> known = schemes();
        known.add(LocationText.FILE);
        throw new UnknownSchemeException(scheme, known);
    }

    static SortedSet<String> schemes() {
        var schemes = new TreeSet<String>();
        ServiceLoader.load(StorageProvider.class).forEach(provider -> schemes.add(provider.scheme()));
        return schemes;
    }
}
