package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.UnfitAttributesException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adagrad;
import org.bytedeco.pytorch.AdagradOptions;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.BatchNorm1dImpl;
import org.bytedeco.pytorch.BatchNormOptions;
import org.bytedeco.pytorch.LBFGS;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.OptimizerParamGroup;
import org.bytedeco.pytorch.RMSprop;
import org.bytedeco.pytorch.RMSpropOptions;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TorchStateTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void load() {
        TorchState.loadLibraries();
        torch.set_num_threads(1);
    }

    /// Two layers with normalization and dropout between them, and a third that never has a gradient.
    private static final class Training {
        final Module module = new Module();
        final LinearImpl hidden = module.register_module("hidden", new LinearImpl(4, 8));
        final BatchNorm1dImpl norm = module.register_module("norm", new BatchNorm1dImpl(new BatchNormOptions(8)));
        final LinearImpl output = module.register_module("output", new LinearImpl(8, 1));
        final LinearImpl unused = module.register_module("unused", new LinearImpl(2, 2));
        final Optimizer optimizer;
        final TorchState state;

        Training(Function<TensorVector, Optimizer> optimizer) {
            this.optimizer = optimizer.apply(module.parameters());
            this.state = TorchState.of(module, this.optimizer);
        }

        void train(int steps) {
            for (int i = 0; i < steps; i++) {
                try (PointerScope _ = new PointerScope()) {
                    Tensor x = torch.randn(16, 4);
                    Tensor y = output.forward(torch.dropout(norm.forward(hidden.forward(x)), 0.5, true));
                    optimizer.zero_grad();
                    torch.mse_loss(y, x.sum(1).unsqueeze(1)).backward();
                    optimizer.step();
                }
            }
        }
    }

    static Stream<Arguments> optimizers() {
        return Stream.of(
                kind("sgd", p -> new SGD(p, new SGDOptions(0.01)), 0),
                kind(
                        "momentum",
                        p -> {
                            var options = new SGDOptions(0.01);
                            options.momentum().put(0.9);
                            options.weight_decay().put(0.01);
                            return new SGD(p, options);
                        },
                        8),
                kind("adam", p -> new Adam(p, new AdamOptions(0.01)), 16),
                kind(
                        "amsgrad",
                        p -> {
                            var options = new AdamOptions(0.01);
                            options.amsgrad().put(true);
                            return new Adam(p, options);
                        },
                        24),
                kind("adamw", p -> new AdamW(p, new AdamWOptions(0.01)), 16),
                kind("adagrad", p -> new Adagrad(p, new AdagradOptions(0.01)), 8),
                kind("rmsprop", p -> new RMSprop(p, new RMSpropOptions(0.01)), 8),
                kind(
                        "rmsprop, centered, with momentum",
                        p -> {
                            var options = new RMSpropOptions(0.01);
                            options.momentum().put(0.9);
                            options.centered().put(true);
                            return new RMSprop(p, options);
                        },
                        24));
    }

    private static Arguments kind(String name, Function<TensorVector, Optimizer> optimizer, int moments) {
        return Arguments.of(name, optimizer, moments);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("optimizers")
    void aRestoredTrainingGoesOnInTheSameBits(String name, Function<TensorVector, Optimizer> optimizer, int moments)
            throws IOException {
        torch.manual_seed(1);
        var undisturbed = new Training(optimizer);
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            undisturbed.train(3);
            undisturbed.optimizer.param_groups().get(0).options().set_lr(0.003);
            undisturbed.state.put(Attributes.empty().with("epoch", 7));
            checkpoints.saveNow(3, undisturbed.state);
        }
        undisturbed.train(3);
        List<byte[]> expected = bytes(undisturbed.state);

        torch.manual_seed(2);
        var resumed = new Training(optimizer);
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            assertThat(checkpoints.restoreLatest(resumed.state).orElseThrow().step())
                    .isEqualTo(3);
        }
        assertThat(resumed.optimizer.param_groups().get(0).options().get_lr()).isEqualTo(0.003);
        assertThat(resumed.state.attributes().integer("epoch")).contains(7L);
        resumed.train(3);
        assertThat(bytes(resumed.state)).usingRecursiveComparison().isEqualTo(expected);
        assertThat(resumed.state.tensors())
                .filteredOn(tensor -> isMoment(tensor.spec().role()))
                .hasSize(moments);
    }

    private static boolean isMoment(Role role) {
        return role == Role.FIRST_MOMENT || role == Role.SECOND_MOMENT;
    }

    @Test
    void anUntrainedStateIsSavedAndRestoredToo() throws IOException {
        torch.manual_seed(1);
        var undisturbed = new Training(p -> new Adam(p, new AdamOptions(0.01)));
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            checkpoints.saveNow(0, undisturbed.state);
        }
        undisturbed.train(3);
        torch.manual_seed(2);
        var resumed = new Training(p -> new Adam(p, new AdamOptions(0.01)));
        resumed.train(5); // state that is not in the checkpoint
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            checkpoints.restoreLatest(resumed.state);
        }
        resumed.train(3);
        assertThat(bytes(resumed.state)).usingRecursiveComparison().isEqualTo(bytes(undisturbed.state));
    }

    @Test
    void whatWasShownOutlivesTheScopeItWasShownIn() {
        var training = new Training(p -> new Adam(p, new AdamOptions(0.01)));
        training.train(2);
        List<LiveTensor> shown;
        try (PointerScope _ = new PointerScope()) {
            shown = training.state.tensors();
        }
        List<byte[]> before = bytes(shown);
        for (int i = 0; i < 50; i++) {
            torch.randn(64).close(); // would reuse freed memory
        }
        assertThat(bytes(shown)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void tensorsOfOnesOwnAreSavedByName() throws IOException {
        var weights = torch.ones(3);
        var momentum = torch.zeros(3, 2);
        TorchState state = TorchState.of(Map.of("weights", weights, "momentum", momentum));
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            checkpoints.saveNow(1, state);
            TorchMemory.of(weights).fill((byte) 9);
            checkpoints.restoreLatest(state);
        }
        assertThat(TorchMemory.of(weights).toArray(ValueLayout.JAVA_FLOAT)).containsExactly(1, 1, 1);
    }

    @Test
    void groupsOfParametersByNamesOfOnesOwnAreSavedWithTheirState() throws IOException {
        var momentum = new SGDOptions(0.1);
        momentum.momentum().put(0.9);
        Tensor first = torch.ones(2).requires_grad_(true);
        Tensor second = torch.ones(3).requires_grad_(true);
        var optimizer = new SGD(new TensorVector(first), momentum);
        optimizer.add_param_group(new OptimizerParamGroup(new TensorVector(second)));
        optimizer.param_groups().get(1).options().set_lr(0.5);
        TorchState state = TorchState.of(Map.of("first", first, "second", second), optimizer);
        Runnable step = () -> {
            optimizer.zero_grad();
            first.pow(new Scalar(2)).sum().add(second.sum()).backward();
            optimizer.step();
        };
        step.run();
        try (Checkpoints checkpoints = Checkpoints.open(folder, CheckpointOptions.defaults())) {
            checkpoints.saveNow(1, state);
            step.run();
            List<byte[]> expected = bytes(state);
            step.run();
            checkpoints.restoreLatest(state);
            step.run();
            assertThat(bytes(state)).usingRecursiveComparison().isEqualTo(expected);
        }
        assertThat(state.tensors())
                .extracting(tensor -> tensor.spec().name())
                .contains("optimizer/first/momentum_buffer", "optimizer/second/momentum_buffer");
        assertThat(state.attributes().number("optimizer.rate.1")).contains(0.5);
    }

    @Test
    void aRateThatIsNoNumberDoesNotFitAndNoneIsSet() {
        Tensor first = torch.ones(2).requires_grad_(true);
        Tensor second = torch.ones(3).requires_grad_(true);
        var optimizer = new SGD(new TensorVector(first), new SGDOptions(0.1));
        optimizer.add_param_group(new OptimizerParamGroup(new TensorVector(second)));
        TorchState state = TorchState.of(Map.of("first", first, "second", second), optimizer);
        Attributes attributes = state.attributes().with("optimizer.rate.0", 0.7).with("optimizer.rate.1", "fast");
        assertThatThrownBy(() -> state.restored(1, attributes))
                .isInstanceOf(UnfitAttributesException.class)
                .hasMessageContaining("optimizer.rate.1");
        assertThat(optimizer.param_groups().get(0).options().get_lr()).isEqualTo(0.1);
    }

    @Test
    void refusesWhatItCannotRestore() {
        var module = new Module();
        var layer = module.register_module("layer", new LinearImpl(2, 2));
        assertThatThrownBy(() -> TorchState.of(module, new LBFGS(module.parameters())))
                .hasMessageContaining("class=LBFGS");
        var named = new HashMap<String, Tensor>();
        named.put("weight", layer.weight());
        assertThatThrownBy(() -> TorchState.of(named, new SGD(module.parameters(), new SGDOptions(0.1))))
                .hasMessageContaining("has no name");
        TorchState state = TorchState.of(Map.of("turned", torch.ones(2, 3).t()));
        assertThatThrownBy(state::tensors).hasMessageContaining("name=turned cpu=true contiguous=false");
    }

    private static List<byte[]> bytes(TorchState state) {
        return bytes(state.tensors());
    }

    private static List<byte[]> bytes(List<LiveTensor> tensors) {
        var bytes = new ArrayList<byte[]>();
        for (LiveTensor tensor : tensors) {
            MemorySegment memory = tensor.memory();
            bytes.add(memory.toArray(ValueLayout.JAVA_BYTE));
        }
        return bytes;
    }
}
