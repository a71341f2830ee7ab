package dev.cairn.formats.safetensors;

import dev.cairn.codec.ElementType;

/// The names of types in safetensors, for tests of all formats.
public final class TypeLabels {
    private TypeLabels() {}

    public static String of(ElementType type) {
        return SafetensorsTypes.label(type);
    }
}
