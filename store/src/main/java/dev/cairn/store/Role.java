package dev.cairn.store;

import java.util.Locale;

/// What a tensor is to the training: later codecs and exports treat roles differently.
public enum Role {
    WEIGHT,
    /// A running mean of gradients: momentum, Adam's m. It rebuilds itself within some ten steps.
    FIRST_MOMENT,
    /// A running mean of squared gradients: Adam's v. Never negative, and its order of magnitude matters.
    SECOND_MOMENT,
    /// Other state of an optimizer.
    OPTIMIZER,
    BUFFER,
    RNG,
    CURSOR;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
