package dev.cairn.train;

import dev.cairn.store.Attributes;
import dev.cairn.train.TrainingSettings.RefusedException;
import java.util.Optional;

/// Chooses one setting at a time: the value that the run has, otherwise the requested value, otherwise the default.
/// If the run and the request differ, the conflict rule decides.
record SettingChoice(TrainingRequest request, Attributes stored, Conflict conflict) {
    /// The rule for a setting that differs between the run and the request.
    enum Conflict {
        REFUSED,
        ASKED
    }

    /// Chooses as if there were no run.
    SettingChoice withoutRun() {
        return new SettingChoice(request, Attributes.empty(), conflict);
    }

    /// Chooses settings that may change at every start.
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

    /// Returns an integer in the range of `int`: a value that is too large or negative stays invalid.
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
            case REFUSED -> throw new RefusedException("%s=%s, not %s".formatted(name, found.get(), asked.get()));
        };
    }
}
