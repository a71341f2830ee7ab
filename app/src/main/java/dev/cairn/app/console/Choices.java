package dev.cairn.app.console;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Engine;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.formats.TensorFormat;
import dev.cairn.train.Workload;
import dev.cairn.train.data.sets.DataSets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/// The words that shells offer where an option or parameter takes one of a few. Options of one command that have such
/// words need labels of their own: the script for bash keeps the words under the label.
public abstract class Choices implements Iterable<String> {
    /// All of them.
    protected abstract List<String> words();

    @Override
    public final Iterator<String> iterator() {
        return words().iterator();
    }

    /// What `train` trains.
    public static final class Workloads extends Choices {
        @Override
        protected List<String> words() {
            return Workload.labels();
        }
    }

    /// What it learns from.
    public static final class Data extends Choices {
        @Override
        protected List<String> words() {
            return DataSets.names();
        }
    }

    /// What computes.
    public static final class Engines extends Choices {
        @Override
        protected List<String> words() {
            return Engine.all().stream().map(Engine::name).toList();
        }
    }

    /// How checkpoints are stored; numbers are examples.
    public static final class Codecs extends Choices {
        @Override
        protected List<String> words() {
            return List.of("lossless", "full", "lossy", "lossy+m", "uq:0.5", "rel:0.01", "lc:3", "lc:auto:0.5");
        }
    }

    /// What changes weights.
    public static final class Optimizers extends Choices {
        @Override
        protected List<String> words() {
            return OptimizerSpec.NAMES;
        }
    }

    /// What LeNet's units do.
    public static final class Activations extends Choices {
        @Override
        protected List<String> words() {
            return Arrays.stream(Activation.values())
                    .map(function -> function.name().toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    /// What files of other programs are.
    public static final class Formats extends Choices {
        @Override
        protected List<String> words() {
            return Arrays.stream(TensorFormat.values()).map(TensorFormat::label).toList();
        }
    }
}
