package dev.cairn.train.data;

/// What a run learns from and what it is measured on; both splits have images of the same size and classes.
public record Dataset(LabelledImages train, LabelledImages test) {
    public Dataset {
        if (train.height() != test.height() || train.width() != test.width() || train.classes() != test.classes()) {
            throw new IllegalArgumentException("splits differ in shape: train=%s test=%s".formatted(train, test));
        }
    }
}
