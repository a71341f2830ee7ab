package dev.cairn.train.batch;

import dev.cairn.engine.InvalidSettingException;

/// A training that is counted in epochs. Each of them is scored.
///
/// @param count the number of epochs; 0 if the training is counted in steps
/// @param steps the number of steps of an epoch; 0 until the data decides it: then as many as its examples need
public record Epochs(int count, int steps) {
    /// Counted in steps.
    public static final Epochs NONE = new Epochs(0, 0);

    public Epochs {
        if (count < 0 || steps < 0) {
            throw new InvalidSettingException(
                    count < 0 ? "epochs" : "stepsPerEpoch", "must be at least 1, not " + Math.min(count, steps));
        }
        if (count == 0 && steps > 0) {
            throw new InvalidSettingException("stepsPerEpoch", "also needs the number of epochs");
        }
    }

    public boolean isSet() {
        return count > 0;
    }

    /// With the number of steps that this many examples need.
    public Epochs ofData(int examples, int batch) {
        return isSet() && steps == 0 ? new Epochs(count, Math.ceilDiv(examples, batch)) : this;
    }

    public long allSteps() {
        return (long) count * steps;
    }

    public boolean endsWith(long step) {
        return isSet() && steps > 0 && step > 0 && step % steps == 0;
    }
}
