package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.Parameter;
import dev.cairn.store.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/// A float tensor for each parameter. All tensors are in one block of memory, so one call changes all elements.
final class FlatTensors implements AutoCloseable {
    /// Each tensor begins at a multiple of 64 bytes.
    private static final long ALIGNMENT = 16;

    private final Tensor block;
    private final Tensor all;
    private final SequencedMap<String, Tensor> parts = new LinkedHashMap<>();

    /// All values are zero.
    FlatTensors(List<Parameter> parameters) {
        this(parameters, 0);
    }

    /// All values are zero.
    ///
    /// @param more the number of floats to have behind the tensors, in the same block
    FlatTensors(List<Parameter> parameters, int more) {
        long length = parameters.stream()
                .mapToLong(parameter -> aligned(parameter.count()))
                .sum();
        this.block = torch.zeros(length + more);
        this.all = block.narrow(0, 0, length);
        long at = 0;
        for (Parameter parameter : parameters) {
            long[] shape = parameter.shape().stream().mapToLong(Long::longValue).toArray();
            // After detach(), it is an independent tensor for autograd, over the same memory.
            parts.put(
                    parameter.name(),
                    all.narrow(0, at, parameter.count()).view(shape).detach());
            at += aligned(parameter.count());
        }
    }

    private static long aligned(long count) {
        return Math.ceilDiv(count, ALIGNMENT) * ALIGNMENT;
    }

    /// All tensors one after the other. The padding between them has no meaning.
    Tensor all() {
        return all;
    }

    /// The tensors and what is behind them.
    Tensor block() {
        return block;
    }

    Tensor get(String name) {
        Tensor part = parts.get(name);
        if (part == null) {
            throw new IllegalStateException("no tensor named " + name);
        }
        return part;
    }

    Map<String, Tensor> byName() {
        return parts;
    }

    /// Passes on each tensor under the prefix and its name.
    void live(String prefix, Role role, Consumer<LiveTensor> to) {
        parts.forEach((name, part) -> to.accept(TorchMemory.live(prefix + name, part, ElementType.FLOAT32, role)));
    }

    @Override
    public void close() {
        parts.values().forEach(Tensor::close);
        all.close();
        block.close();
    }
}
