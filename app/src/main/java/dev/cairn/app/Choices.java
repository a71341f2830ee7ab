package dev.cairn.app;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Engine;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.formats.TensorFormat;
import dev.cairn.train.Workload;
import dev.cairn.train.data.DataSets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/// The words that shells offer where an option or parameter takes one of a few. Options of one command that have such
/// words need labels of their own: the script for bash keeps the words under the label.
abstract sealed class Choices implements Iterable<String> {
    abstract List<String> words();

    @Override
    public final Iterator<String> iterator() {
        return words().iterator();
    }

    /// What `train` trains.
    static final class Workloads extends Choices {
        @Override
        List<String> words() {
            return Workload.labels();
        }
    }

    /// What it learns from.
    static final class Data extends Choices {
        @Override
        List<String> words() {
            return DataSets.names();
        }
    }

    /// What computes.
    static final class Engines extends Choices {
        @Override
        List<String> words() {
            return Engine.all().stream().map(Engine::name).toList();
        }
    }

    /// How checkpoints are stored; numbers are examples.
    static final class Codecs extends Choices {
        @Override
        List<String> words() {
            return List.of("lossless", "full", "lossy", "lossy+m", "uq:0.5", "rel:0.01", "lc:3", "lc:auto:0.5");
        }
    }

    /// What `bench` measures.
    static final class Benches extends Choices {
        @Override
        List<String> words() {
            return BenchCommand.KNOWN;
        }
    }

    /// What changes weights.
    static final class Optimizers extends Choices {
        @Override
        List<String> words() {
            return OptimizerSpec.NAMES;
        }
    }

    /// What LeNet's units do.
    static final class Activations extends Choices {
        @Override
        List<String> words() {
            return Arrays.stream(Activation.values())
                    .map(function -> function.name().toLowerCase(Locale.ROOT))
                    .toList();
        }
    }

    /// What files of other programs are.
    static final class Formats extends Choices {
        @Override
        List<String> words() {
            return Arrays.stream(TensorFormat.values()).map(TensorFormat::label).toList();
        }
    }
}
