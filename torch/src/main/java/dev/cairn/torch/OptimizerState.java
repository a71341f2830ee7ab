package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.torch.OptimizerArchive.Entry;
import dev.cairn.torch.OptimizerArchive.Group;
import dev.cairn.torch.OptimizerKind.Kept;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.OptimizerParamGroupVector;
import org.bytedeco.pytorch.OutputArchive;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/// The state of a user's optimizer as tensors with the names of its parameters. The tensors are copies, because
/// libtorch exposes the state only through an archive. They are valid until the next call of [#tensors].
///
/// A parameter that has had no gradient yet has no state. Its tensors are then zero and its number of steps is -1. So
/// every step has the same tensors.
final class OptimizerState {
    private static final String PREFIX = "optimizer/";
    private static final String RATE = "optimizer.rate.";
    private static final long NO_STATE = -1;

    private final Optimizer optimizer;
    private final OptimizerKind kind;
    private final Map<String, Tensor> parameters;
    private final Map<String, String> names = new HashMap<>();
    private final List<Slot> slots = new ArrayList<>();
    private MemorySegment steps = MemorySegment.NULL;

    /// The tensors of one parameter.
    ///
    /// @param key key in the archive
    /// @param present whether the live optimizer has state for it
    /// @param tensors one tensor for each element of `kept`
    private record Slot(String key, boolean present, List<Kept> kept, List<Tensor> tensors) {}

    /// @param parameters parameters by name, including all that the optimizer updates
    OptimizerState(Optimizer optimizer, Map<String, Tensor> parameters) {
        this.optimizer = optimizer;
        this.kind = OptimizerKind.of(optimizer);
        this.parameters = parameters;
        try (PointerScope _ = new PointerScope()) {
            parameters.forEach((name, tensor) ->
                    names.putIfAbsent(Long.toString(tensor.unsafeGetTensorImpl().address()), name));
            OptimizerArchive.of(optimizer)
                    .groups()
                    .forEach(group -> group.keys().forEach(this::nameOf));
        }
    }

    List<LiveTensor> tensors() {
        release();
        var live = new ArrayList<LiveTensor>();
        var counts = new ArrayList<Long>();
        try (PointerScope _ = new PointerScope()) {
            OptimizerArchive archive = OptimizerArchive.of(optimizer);
            for (Group group : archive.groups()) {
                List<Kept> kept = kind.kept(group);
                for (String key : group.keys()) {
                    counts.add(stepsOf(archive, key));
                    slots.add(show(archive, key, kept, live));
                }
            }
        }
        steps = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, counts.size());
        for (int i = 0; i < counts.size(); i++) {
            steps.setAtIndex(ValueLayout.JAVA_LONG, i, counts.get(i));
        }
        live.add(LiveTensor.of(PREFIX + "steps", Role.OPTIMIZER, ElementType.INT64, steps, counts.size()));
        return live;
    }

    /// The learning rates, which schedules change.
    Attributes rates() {
        Attributes rates = Attributes.empty();
        try (PointerScope _ = new PointerScope()) {
            OptimizerParamGroupVector groups = optimizer.param_groups();
            for (long i = 0; i < groups.size(); i++) {
                rates = rates.with(RATE + i, groups.get(i).options().get_lr());
            }
        }
        return rates;
    }

    /// Takes over the values of a checkpoint that were written into the tensors.
    ///
    /// @throws dev.cairn.store.UnfitAttributesException if a learning rate is not a number
    void restored(Attributes attributes) {
        try (PointerScope _ = new PointerScope()) {
            OptimizerParamGroupVector groups = optimizer.param_groups();
            var rates = new ArrayList<Optional<Double>>();
            for (long i = 0; i < groups.size(); i++) {
                rates.add(attributes.number(RATE + i)); // if one does not fit, none is set
            }
            for (int i = 0; i < rates.size(); i++) {
                var options = groups.get(i).options();
                rates.get(i).ifPresent(options::set_lr);
            }
            var entries = new ArrayList<Entry>();
            for (int i = 0; i < slots.size(); i++) {
                Slot slot = slots.get(i);
                long count = steps.getAtIndex(ValueLayout.JAVA_LONG, i);
                if (count != NO_STATE || slot.present()) {
                    entries.add(new Entry(slot.key(), archive -> write(slot, Math.max(count, 0), archive)));
                }
            }
            OptimizerArchive.of(optimizer).load(optimizer, entries);
        }
        release();
    }

    private Slot show(OptimizerArchive archive, String key, List<Kept> kept, List<LiveTensor> live) {
        String name = nameOf(key);
        var tensors = new ArrayList<Tensor>();
        for (Kept one : kept) {
            IValue value = archive.value(key, one.name());
            Tensor tensor = value.isTensor() ? new Tensor(value.toTensor()) : torch.zeros_like(parameter(name));
            live.add(LiveMemory.of(PREFIX + name + "/" + one.name(), tensor, one.role()));
            tensors.add(tensor.retainReference());
        }
        return new Slot(key, archive.has(key), kept, tensors);
    }

    private void write(Slot slot, long count, OutputArchive archive) {
        if (kind.countsSteps()) {
            archive.write("step", new IValue(count));
        }
        for (int i = 0; i < slot.kept().size(); i++) {
            archive.write(slot.kept().get(i).name(), slot.tensors().get(i), true);
        }
    }

    private long stepsOf(OptimizerArchive archive, String key) {
        if (!archive.has(key)) {
            return NO_STATE;
        }
        return kind.countsSteps() ? archive.value(key, "step").toInt() : 0;
    }

    private String nameOf(String key) {
        String name = names.get(key);
        if (name == null) {
            throw new IllegalArgumentException(
                    "the optimizer updates a tensor that has no name; pass the module or the map that has all of its parameters: named=%d"
                            .formatted(names.size()));
        }
        return name;
    }

    private Tensor parameter(String name) {
        Tensor parameter = parameters.get(name);
        if (parameter == null) {
            throw new IllegalStateException("no parameter named " + name);
        }
        return parameter;
    }

    /// Frees the tensors only now, because a save may read them in parallel with the training.
    private void release() {
        slots.forEach(slot -> slot.tensors().forEach(Tensor::close));
        slots.clear();
    }
}
