package dev.cairn.store.location;

import dev.cairn.store.UnknownNameException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The settings that storage needs besides a location, by name: the endpoint of a server, a region. Each
/// [StorageProvider] documents the names that it knows, and refuses others.
public record StorageSettings(Map<String, String> values) {
    /// Creates settings with these values.
    public StorageSettings {
        values = Map.copyOf(values);
    }

    /// No settings besides those from the environment.
    public static StorageSettings none() {
        return new StorageSettings(Map.of());
    }

    /// Returns a copy with this value added or replaced.
    public StorageSettings with(String name, String value) {
        var changed = new TreeMap<>(values);
        changed.put(name, value);
        return new StorageSettings(changed);
    }

    /// The value with this name, if there is one.
    public Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// Returns these settings.
    ///
    /// @throws UnknownNameException if a name is unknown
    public StorageSettings requireOnly(Set<String> known) {
        for (String name : new TreeSet<>(values.keySet())) {
            if (!known.contains(name)) {
                throw new UnknownNameException("storage setting", name, new TreeSet<>(known));
            }
        }
        return this;
    }
}
