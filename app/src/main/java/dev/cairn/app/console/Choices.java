package dev.cairn.app.console;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Engine;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.formats.TensorFormat;
import dev.cairn.train.TrainingSettings;
import dev.cairn.train.Workload;
import dev.cairn.train.batch.ExampleOrder;
import dev.cairn.train.data.sets.DataSets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/// The words that shells offer for an option or parameter that takes one of a few words. Two such options of one
/// command need different labels: the script for bash stores the words under the label.
public abstract class Choices implements Iterable<String> {
    /// The values of `--coordination`.
    public static final List<String> COORDINATIONS = List.of("all", "none");

    /// Returns all words.
    protected abstract List<String> words();

    @Override
    public final Iterator<String> iterator() {
        return words().iterator();
    }

    /// The workloads of `train`.
    public static final class Workloads extends Choices {
        @Override
        protected List<String> words() {
            return Workload.labels();
        }
    }

    /// The data sets of `train`.
    public static final class Data extends Choices {
        @Override
        protected List<String> words() {
            return DataSets.names();
        }
    }

    /// The engines.
    public static final class Engines extends Choices {
        @Override
        protected List<String> words() {
            return Engine.all().stream().map(Engine::name).toList();
        }
    }

    /// The codecs of checkpoints; the numbers in them are examples.
    public static final class Codecs extends Choices {
        @Override
        protected List<String> words() {
            return List.of("lossless", "full", "lossy", "lossy+m", "uq:0.5", "rel:0.01", "lc:3", "lc:auto:0.5");
        }
    }

    /// The optimizers.
    public static final class Optimizers extends Choices {
        @Override
        protected List<String> words() {
            return OptimizerSpec.NAMES;
        }
    }

    /// How several processes train.
    public static final class Modes extends Choices {
        @Override
        protected List<String> words() {
            return TrainingSettings.Mode.labels();
        }
    }

    /// Whose checkpoints belong together.
    public static final class Coordinations extends Choices {
        @Override
        protected List<String> words() {
            return COORDINATIONS;
        }
    }

    /// The orders of the examples.
    public static final class DataOrders extends Choices {
        @Override
        protected List<String> words() {
            return ExampleOrder.NAMES;
        }
    }

    /// The activation functions of LeNet.
    public static final class Activations extends Choices {
        @Override
        protected List<String> words() {
            return Arrays.stream(Activation.values())
                    .map(function -> function.name().toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    /// The file formats of other programs.
    public static final class Formats extends Choices {
        @Override
        protected List<String> words() {
            return Arrays.stream(TensorFormat.values()).map(TensorFormat::label).toList();
        }
    }
}
