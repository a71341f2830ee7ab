package dev.cairn.train;

import java.util.List;

/// What of a model users may choose.
///
/// @param activation `relu` or `tanh`; of lenet
/// @param rank how many factors a user and an item have; of mf
public record ModelSettings(String activation, int rank) {
    public static final ModelSettings USUAL = new ModelSettings("relu", 16);
    private static final int LARGEST_RANK = 4096;

    public ModelSettings {
        if (!List.of("relu", "tanh").contains(activation)) {
            throw new IllegalArgumentException("--activation must be relu or tanh, not '%s'".formatted(activation));
        }
        if (rank < 1 || rank > LARGEST_RANK) {
            throw new IllegalArgumentException("--rank must be from 1 to %d, not %d".formatted(LARGEST_RANK, rank));
        }
    }
}
