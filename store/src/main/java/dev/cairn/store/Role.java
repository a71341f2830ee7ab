package dev.cairn.store;

import java.util.Locale;

/// What a tensor is to the training: later codecs and exports treat roles differently.
public enum Role {
    WEIGHT,
    OPTIMIZER,
    BUFFER,
    RNG,
    CURSOR;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Role ofLabel(String label) {
        for (Role role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException("unknown role: label=" + label);
    }
}
