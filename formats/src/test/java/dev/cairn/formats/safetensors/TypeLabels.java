package dev.cairn.formats.safetensors;

import dev.cairn.codec.ElementType;

/// What safetensors calls the types, for tests of all formats.
public final class TypeLabels {
    private TypeLabels() {}

    public static String of(ElementType type) {
        return SafetensorsTypes.label(type);
    }
}
