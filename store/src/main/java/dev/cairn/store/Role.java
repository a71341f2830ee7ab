package dev.cairn.store;

import java.util.Locale;

/// What a tensor is to the training: later codecs and exports treat roles differently.
public enum Role {
    /// What is trained.
    WEIGHT,
    /// A running mean of gradients: momentum, Adam's m. It rebuilds itself within some ten steps.
    FIRST_MOMENT,
    /// A running mean of squared gradients: Adam's v. Never negative, and its order of magnitude matters.
    SECOND_MOMENT,
    /// Other state of an optimizer.
    OPTIMIZER,
    /// What a forward pass changes, such as running means.
    BUFFER,
    /// The state of a random generator.
    RNG,
    /// A place in the data.
    CURSOR;

    /// The name that records have, such as `first-moment`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The role of this name; `IllegalArgumentException` where there is none.
    public static Role ofLabel(String label) {
        for (Role role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException("unknown role: label=" + label);
    }
}
