package dev.cairn.train;

import dev.cairn.engine.InvalidSettingException;
import java.util.List;

/// The settings of a model that users may choose.
///
/// @param activation `relu` or `tanh`; for lenet
/// @param rank the number of factors per user and per item; for mf
public record ModelSettings(String activation, int rank) {
    public static final ModelSettings USUAL = new ModelSettings("relu", 16);
    private static final int LARGEST_RANK = 4096;

    public ModelSettings {
        if (!List.of("relu", "tanh").contains(activation)) {
            throw new InvalidSettingException("activation", "must be relu or tanh, not '%s'".formatted(activation));
        }
        if (rank < 1 || rank > LARGEST_RANK) {
            throw new InvalidSettingException("rank", "must be from 1 to %d, not %d".formatted(LARGEST_RANK, rank));
        }
    }
}
