package dev.cairn.train;

import org.jspecify.annotations.Nullable;

/// What a user asked for; null where they left it open, so that the run decides or a default does.
public record TrainingRequest(
        String workload,
        @Nullable String data,
        @Nullable String engine,
        @Nullable String optimizer,
        @Nullable Double rate,
        @Nullable Integer batch,
        @Nullable Long seed,
        @Nullable Integer threads,
        @Nullable Long steps) {}
