package dev.cairn.tensorflow;

import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.tensorflow.runtime.NativeLibraries;

/// Creates learners that run on TensorFlow.
public final class TensorFlowEngine implements Engine {
    @Override
    public String name() {
        return "tensorflow";
    }

    @Override
    public LocalLearner learner(Model model, OptimizerSpec optimizer, long seed, int threads) {
        NativeLibraries.load();
        return new TensorFlowLearner(model, optimizer, seed, threads);
    }

    @Override
    public String describe() {
        return "TensorFlow " + NativeLibraries.load();
    }
}
