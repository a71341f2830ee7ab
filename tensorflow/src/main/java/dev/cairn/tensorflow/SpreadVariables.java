package dev.cairn.tensorflow;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Update;
import dev.cairn.engine.server.Placement;
import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Tensor;

/// Weights that are spread over several servers, with the state of their optimizer.
///
/// Until the other servers are known, everything is in the first one.
final class SpreadVariables implements AutoCloseable {
    private final List<Parameter> parameters;
    private final OptimizerSpec spec;
    private final Placement placement;
    private final List<PartVariables> parts = new ArrayList<>();

    /// @param target the first server
    SpreadVariables(String target, int servers, List<Parameter> parameters, OptimizerSpec spec, long seed) {
        this.parameters = parameters;
        this.spec = spec;
        this.placement = Placement.of(servers, parameters.size());
        for (int server = 0; server < placement.servers(); server++) {
            var part = new PartVariables(target, weights(server), spec);
            part.initialize(seed);
            parts.add(part);
        }
    }

    /// The number of servers that have weights.
    int servers() {
        return parts.size();
    }

    /// What is in one server.
    List<Parameter> weights(int server) {
        return placement.of(server, parameters);
    }

    /// Moves what is not where it belongs.
    void moveTo(List<String> servers) {
        for (int server = 0; server < parts.size(); server++) {
            PartVariables before = parts.get(server);
            if (!before.target().equals(servers.get(server))) {
                var part = new PartVariables(servers.get(server), weights(server), spec);
                part.takeFrom(before);
                parts.set(server, part);
                before.close();
            }
        }
    }

    /// The whole state, in the order in which one server has it.
    List<LiveTensor> show() {
        var all = new ArrayList<LiveTensor>();
        parts.forEach(part -> all.addAll(part.show()));
        all.sort(Comparator.comparingInt(this::place));
        return all;
    }

    /// Weights come first, then the first moments of all, then the second.
    private int place(LiveTensor tensor) {
        Role role = tensor.spec().role();
        int group = role == Role.WEIGHT ? 0 : role == Role.FIRST_MOMENT ? 1 : 2;
        for (int i = 0; i < parameters.size(); i++) {
            String name = parameters.get(i).name();
            String own = tensor.spec().name();
            if (group == 0 ? own.equals(name) : own.endsWith("/" + name)) {
                return group * parameters.size() + i;
            }
        }
        throw new IllegalStateException("no weight for " + tensor.spec().name());
    }

    void written() {
        parts.forEach(PartVariables::written);
    }

    /// The weights alone, in the order of the model. The caller deletes them.
    List<TF_Tensor> weights() {
        var all = new TF_Tensor[parameters.size()];
        for (int server = 0; server < parts.size(); server++) {
            List<TF_Tensor> mine = parts.get(server).weights();
            for (int i = 0; i < mine.size(); i++) {
                all[server + i * parts.size()] = mine.get(i);
            }
        }
        return List.of(all);
    }

    /// Makes the update with the mean of the gradients that were added up. What was shown is no longer valid.
    void update(int examples, Update step) {
        double factor = 1.0 / examples;
        if (spec.clipNorm() > 0) {
            double halves =
                    parts.stream().mapToDouble(PartVariables::halfSquares).sum();
            double norm = Math.sqrt(2 * halves) / examples;
            factor *= Math.min(1, spec.clipNorm() / (norm + 1e-6));
        }
        for (PartVariables part : parts) {
            part.update((float) factor, step);
        }
    }

    @Override
    public void close() {
        parts.forEach(PartVariables::close);
    }
}
