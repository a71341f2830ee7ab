package dev.cairn.train;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.InvalidSettingException;
import dev.cairn.engine.Model;
import dev.cairn.store.UnknownNameException;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.Images;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.sets.DataSets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The built-in workloads by name, with good defaults for settings that the user does not choose.
public enum Workload {
    /// Softmax regression.
    LR("digits", 100, "momentum"),
    /// LeNet-5.
    LENET("digits", 64, "momentum"),
    /// AlexNet, for 28×28 or 227×227 images, depending on the data.
    ALEXNET("digits", 64, "adam"),
    /// Matrix factorization with biases.
    MF("fake-ratings", 1000, "adam");

    private static final double DROPOUT = 0.5;

    private final String usualData;
    private final int usualBatch;
    private final String usualOptimizer;

    Workload(String usualData, int usualBatch, String usualOptimizer) {
        this.usualData = usualData;
        this.usualBatch = usualBatch;
        this.usualOptimizer = usualOptimizer;
    }

    /// The name for users.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(Workload::label).toList();
    }

    /// Returns the workload with this name.
    ///
    /// @throws UnknownNameException if there is none; the message lists the known names
    public static Workload named(String label) {
        return Arrays.stream(values())
                .filter(workload -> workload.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UnknownNameException("workload", label, labels()));
    }

    /// The measure of quality.
    public Measure measure() {
        return this == MF ? Measure.RMSE : Measure.ACCURACY;
    }

    String usualData() {
        return usualData;
    }

    int usualBatch() {
        return usualBatch;
    }

    String usualOptimizer() {
        return usualOptimizer;
    }

    double usualRate(String optimizer) {
        return switch (optimizer) {
            case "sgd" ->
                switch (this) {
                    case LR -> 0.1;
                    case LENET -> 0.05;
                    case ALEXNET -> 0.01;
                    case MF -> 10; // the loss is the mean over the batch, so the share of a row is small
                };
            case "momentum" ->
                switch (this) {
                    case LR -> 0.01;
                    case LENET -> 0.02;
                    case ALEXNET -> 0.002;
                    case MF -> 2;
                };
            default ->
                switch (this) {
                    case LR, LENET -> 1e-3;
                    case ALEXNET -> 2e-4;
                    case MF -> 3e-3;
                };
        };
    }

    /// Steps of a few hundred microseconds are faster without threads that wait for each other.
    int usualThreads() {
        return switch (this) {
            case LR, MF -> 1;
            case LENET, ALEXNET -> Runtime.getRuntime().availableProcessors();
        };
    }

    double usualWeightDecay() {
        return this == MF ? 1e-3 : 0;
    }

    /// Refuses data of the wrong kind before it is loaded.
    ///
    /// @throws InvalidSettingException if the kind is wrong
    void check(String data) {
        if (DataSets.areRatings(data) != (this == MF)) {
            throw wrongData(data, this == MF ? "ratings" : "images");
        }
    }

    /// Creates the model for this data.
    ///
    /// @throws InvalidSettingException if the data does not fit this workload
    Model model(ModelSettings settings, Dataset data) {
        return switch (this) {
            case LR -> {
                Images images = square(data);
                yield Architectures.fullyConnected(List.of(images.pixelsPerImage(), images.classes()));
            }
            case LENET -> {
                Images images = square(data);
                require(images.height() == 28, data, "images of 28×28");
                yield Architectures.lenet5(
                        Activation.valueOf(settings.activation().toUpperCase(Locale.ROOT)), images.classes());
            }
            case ALEXNET -> {
                Images images = images(data);
                boolean large = images.height() == 227 && images.width() == 227 && images.channels() == 3;
                boolean small = images.height() == 28 && images.width() == 28 && images.channels() == 1;
                require(large || small, data, "grey images of 28×28, or images of 227×227 with three channels");
                yield large
                        ? Architectures.alexnet227(images.classes(), DROPOUT)
                        : Architectures.alexnet28(images.classes(), DROPOUT);
            }
            case MF -> {
                if (!(data instanceof RatingSet ratings)) {
                    throw wrongData(data.name(), "ratings");
                }
                yield new Model.Factorization(ratings.users(), ratings.items(), settings.rank(), (float)
                        ratings.train().mean());
            }
        };
    }

    private Images square(Dataset data) {
        Images images = images(data);
        require(images.channels() == 1 && images.height() == images.width(), data, "square grey images");
        return images;
    }

    private Images images(Dataset data) {
        if (data instanceof ImageSet images) {
            return images.train();
        }
        throw wrongData(data.name(), "images");
    }

    private void require(boolean holds, Dataset data, String needed) {
        if (!holds) {
            throw wrongData(data.name(), needed);
        }
    }

    private InvalidSettingException wrongData(String data, String needed) {
        return new InvalidSettingException(
                "data", "'%s' has no %s, which %s needs; choose other data".formatted(data, needed, label()));
    }
}
