package dev.cairn.app.transfer;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.TensorParts;
import dev.cairn.store.segment.TensorRef;
import dev.cairn.train.RateSchedule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/// Converts a run's optimizer to the PyTorch optimizer with the same rule. Options come from the run's settings,
/// and moments get PyTorch's names. Parameters are the weights in the order of the checkpoint, which is the order
/// of the model.
final class TorchOptimizers {
    private TorchOptimizers() {}

    /// Returns empty if the checkpoint has no known optimizer, or lacks some of its moments.
    static Optional<TorchState.Optimizer> of(Manifest manifest) {
        try {
            return known(manifest);
        } catch (IllegalArgumentException notOurs) { // other training loops may use these names for other things
            return Optional.empty();
        }
    }

    private static Optional<TorchState.Optimizer> known(Manifest manifest) {
        Commit checkpoint = manifest.checkpoint();
        Attributes settings = checkpoint.attributes();
        Optional<String> name = settings.text("optimizer").filter(OptimizerSpec.NAMES::contains);
        if (name.isEmpty() || settings.number("rate").isEmpty()) {
            return Optional.empty();
        }
        OptimizerSpec spec = OptimizerSpec.of(name.get());
        SequencedMap<String, String> moments = moments(spec.rule());
        Set<String> names =
                manifest.tensors().stream().map(tensor -> tensor.spec().name()).collect(Collectors.toSet());
        var parameters = new ArrayList<TorchState.Parameter>();
        for (TensorSpec weight : TensorParts.joined(
                manifest.tensors().stream().map(TensorRef::spec).toList())) {
            if (weight.role() != Role.WEIGHT) {
                continue;
            }
            var tensors = new LinkedHashMap<String, String>();
            moments.forEach((key, prefix) -> tensors.put(key, spec.name() + prefix + weight.name()));
            if (!names.containsAll(tensors.values())) {
                return Optional.empty();
            }
            var values = new LinkedHashMap<String, Object>();
            if (spec.rule() instanceof Rule.Adam) {
                values.put("step", steps(checkpoint));
            }
            parameters.add(new TorchState.Parameter(values, tensors));
        }
        return Optional.of(new TorchState.Optimizer(options(spec, checkpoint), parameters));
    }

    /// Maps PyTorch's names of moments to the prefixes of the checkpoint's names, after the optimizer's name.
    private static SequencedMap<String, String> moments(Rule rule) {
        var moments = new LinkedHashMap<String, String>();
        switch (rule) {
            case Rule.Sgd _ -> {}
            case Rule.Momentum _ -> moments.put("momentum_buffer", ".m/");
            case Rule.Adam _ -> {
                moments.put("exp_avg", ".m/");
                moments.put("exp_avg_sq", ".v/");
            }
        }
        return moments;
    }

    /// Returns the number of steps of the optimizer, which may have started after the run.
    private static long steps(Commit checkpoint) {
        return checkpoint.step()
                - checkpoint.attributes().integer("optimizerBegan").orElse(0L);
    }

    private static SequencedMap<String, Object> options(OptimizerSpec spec, Commit checkpoint) {
        var options = new LinkedHashMap<String, Object>();
        options.put("lr", rate(checkpoint));
        switch (spec.rule()) {
            case Rule.Sgd _ -> addSgd(options, 0);
            case Rule.Momentum(double momentum) -> addSgd(options, momentum);
            case Rule.Adam(double beta1, double beta2, double epsilon) -> {
                options.put("betas", List.of(beta1, beta2));
                options.put("eps", epsilon);
                options.put("amsgrad", false);
            }
        }
        options.put(
                "weight_decay", checkpoint.attributes().number("weightDecay").orElse(0.0));
        options.put("maximize", false);
        options.put("differentiable", false);
        return options;
    }

    private static void addSgd(SequencedMap<String, Object> options, double momentum) {
        options.put("momentum", momentum);
        options.put("dampening", 0.0);
        options.put("nesterov", false);
    }

    /// Returns the learning rate of the next step.
    private static double rate(Commit checkpoint) {
        Attributes settings = checkpoint.attributes();
        RateSchedule schedule = RateSchedule.parse(settings.text("schedule").orElse("constant"));
        long steps = settings.integer("steps").orElse(Long.MAX_VALUE);
        return settings.number("rate").orElseThrow()
                * settings.number("rateFactor").orElse(1.0)
                * schedule.factor(checkpoint.step() + 1, steps);
    }
}
