package dev.cairn.train;

import dev.cairn.store.Attributes;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.util.Optional;

/// One setting at a time: what the run has, else what was asked for, else the default; where the first two differ the
/// conflict decides.
record SettingChoice(TrainingRequest request, Attributes stored, Conflict conflict) {
    /// What holds where a run has one setting and another is asked for.
    enum Conflict {
        REFUSED,
        ASKED
    }

    /// As if there were no run.
    SettingChoice withoutRun() {
        return new SettingChoice(request, Attributes.empty(), conflict);
    }

    /// For settings that every start may choose anew.
    SettingChoice asked() {
        return new SettingChoice(request, stored, Conflict.ASKED);
    }

    String workload() throws RefusedException {
        return choose("workload", stored.text("workload"), Optional.of(request.workload()), request.workload());
    }

    String text(String name, String otherwise) throws RefusedException {
        return choose(name, stored.text(name), given(name, String.class), otherwise);
    }

    long integer(String name, long otherwise) throws RefusedException {
        return choose(name, stored.integer(name), given(name, Long.class), otherwise);
    }

    /// An integer that is small, or refused as it is.
    int count(String name, int otherwise) throws RefusedException {
        return Math.clamp(integer(name, otherwise), -1, Integer.MAX_VALUE);
    }

    double number(String name, double otherwise) throws RefusedException {
        return choose(name, stored.number(name), given(name, Double.class), otherwise);
    }

    private <T> Optional<T> given(String name, Class<T> type) {
        return Optional.ofNullable(request.asked().get(name)).map(type::cast);
    }

    private <T> T choose(String name, Optional<T> found, Optional<T> asked, T otherwise) throws RefusedException {
        if (found.isEmpty() || asked.isEmpty() || found.equals(asked)) {
            return found.or(() -> asked).orElse(otherwise);
        }
        return switch (conflict) {
            case ASKED -> asked.get();
            case REFUSED ->
                throw RefusedException.of("%s=%s, not %s".formatted(name, found.get(), asked.get()));
        };
    }
}
