package dev.cairn.store;

import java.util.Locale;

/// The purpose of a tensor in the training. Codecs and exports treat roles differently.
public enum Role {
    /// A trained parameter.
    WEIGHT,
    /// A running mean of gradients: momentum, Adam's m. It recovers within about ten steps.
    FIRST_MOMENT,
    /// A running mean of squared gradients: Adam's v. Never negative, and its order of magnitude matters.
    SECOND_MOMENT,
    /// Other state of an optimizer.
    OPTIMIZER,
    /// State that a forward pass changes, such as running means.
    BUFFER,
    /// The state of a random generator.
    RNG,
    /// A position in the data.
    CURSOR;

    /// The name in records, such as `first-moment`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the role with this name.
    ///
    /// @throws IllegalArgumentException if there is no such role
    public static Role ofLabel(String label) {
        for (Role role : values()) {
            if (role.label().equals(label)) {
                return role;
            }
        }
        throw new IllegalArgumentException("unknown role: label=" + label);
    }
}
