package dev.cairn.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.nn.Parameter;
import ai.djl.training.Trainer;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.UnfitAttributesException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// The state of a trainer whose parameters are initialized: parameters, the optimizer's state, and the position in the
/// data.
///
/// Values that a forward pass changes (running means) are as they were at the last call of [#tookForwardPass], because
/// a listener is called between the forward pass and the update of a batch.
final class TrainerState implements TrainingState {
    private static final String PREFIX = "optimizer/";
    private static final String COUNTS = PREFIX + "updates";

    private final SequencedMap<String, Parameter> parameters = new LinkedHashMap<>();
    private final OptimizerMaps optimizer;
    private final Map<String, MirroredArray> mirrors = new HashMap<>();
    private final MemorySegment counts;
    private Position position = new Position(0, 0);
    private Attributes others = Attributes.empty();

    /// The position of the training in its data.
    ///
    /// @param epoch epoch of the next batch
    /// @param batch number of batches of that epoch that are done
    record Position(long epoch, long batch) {
        private static final String EPOCH = "epoch";
        private static final String BATCH = "batch";

        /// @throws UnfitAttributesException if the attributes do not name a position in the data
        static Position of(Attributes attributes) {
            return new Position(count(EPOCH, attributes), count(BATCH, attributes));
        }

        private static long count(String name, Attributes attributes) {
            return attributes
                    .integer(name)
                    .filter(count -> count >= 0)
                    .orElseThrow(() -> new UnfitAttributesException(
                            "attribute %s is missing or negative; it must be 0 or more".formatted(name)));
        }

        Attributes asAttributes() {
            return Attributes.empty().with(EPOCH, epoch).with(BATCH, batch);
        }
    }

    TrainerState(Trainer trainer, OptimizerMaps optimizer) {
        Device[] devices = trainer.getDevices();
        if (devices.length != 1) {
            throw new IllegalArgumentException(
                    "a trainer on several devices cannot be checkpointed: devices=%d; train on one"
                            .formatted(devices.length));
        }
        trainer.getModel().getBlock().getParameters().forEach(pair -> parameters.put(pair.getKey(), pair.getValue()));
        parameters.forEach((name, parameter) -> {
            if (!parameter.isInitialized()) {
                throw new IllegalStateException(
                        "the trainer has no parameters yet: name=%s; call trainer.initialize(shapes) first"
                                .formatted(name));
            }
        });
        this.optimizer = optimizer;
        this.counts = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, parameters.size());
        tookForwardPass();
    }

    /// Makes the optimizer keep the same arrays as when the tensors were saved. A restore then overwrites them.
    void prepare(List<TensorSpec> saved) {
        saved.forEach(tensor -> {
            String name = tensor.name();
            int end = name.indexOf('/', PREFIX.length());
            if (name.startsWith(PREFIX) && end > 0) {
                String field = name.substring(PREFIX.length(), end);
                Optional.ofNullable(parameters.get(name.substring(end + 1)))
                        .ifPresent(parameter -> optimizer.prepare(field, parameter.getId(), parameter.getArray()));
            }
        });
    }

    /// Copies the values that forward passes change. They are saved as they are now.
    void tookForwardPass() {
        parameters.forEach((name, parameter) -> {
            if (changesForward(parameter)) {
                mirror(name, parameter.getArray(), roleOf(parameter)).take();
            }
        });
    }

    Position position() {
        return position;
    }

    void moveTo(Position position) {
        this.position = position;
    }

    void put(Attributes more) {
        others = others.with(more);
    }

    /// The smallest number of updates of any parameter with a gradient.
    int updates() {
        return parameters.values().stream()
                .filter(Parameter::requiresGradient)
                .mapToInt(parameter -> optimizer.count(parameter.getId()))
                .min()
                .orElse(0);
    }

    @Override
    public List<LiveTensor> tensors() {
        var live = new ArrayList<LiveTensor>();
        parameters.forEach((name, parameter) -> {
            MirroredArray mirror = mirror(name, parameter.getArray(), roleOf(parameter));
            if (!changesForward(parameter)) {
                mirror.take();
            }
            live.add(mirror.mirror());
        });
        optimizer
                .arrays()
                .forEach((field, kept) -> parameters.forEach((name, parameter) -> {
                    Map<Device, NDArray> arrays = kept.get(parameter.getId());
                    if (arrays != null) {
                        NDArray array = arrays.values().iterator().next();
                        MirroredArray mirror = mirror(PREFIX + field + "/" + name, array, optimizer.role(field));
                        mirror.take();
                        live.add(mirror.mirror());
                    }
                }));
        int i = 0;
        for (Parameter parameter : parameters.values()) {
            counts.setAtIndex(ValueLayout.JAVA_LONG, i++, optimizer.count(parameter.getId()));
        }
        live.add(LiveTensor.of(COUNTS, Role.OPTIMIZER, ElementType.INT64, counts, parameters.size()));
        return live;
    }

    @Override
    public Attributes attributes() {
        return others.with(position.asAttributes());
    }

    @Override
    public void restored(long step, Attributes attributes) {
        position = Position.of(attributes);
        others = attributes;
        mirrors.values().forEach(MirroredArray::give);
        var updates = new HashMap<String, Integer>();
        int i = 0;
        for (Parameter parameter : parameters.values()) {
            updates.put(parameter.getId(), Math.toIntExact(counts.getAtIndex(ValueLayout.JAVA_LONG, i++)));
        }
        optimizer.setCounts(updates);
    }

    private MirroredArray mirror(String name, NDArray array, Role role) {
        MirroredArray known = mirrors.get(name);
        if (known != null && known.isOf(array)) {
            return known;
        }
        var mirror = new MirroredArray(name, array, role);
        mirrors.put(name, mirror);
        return mirror;
    }

    /// Whether a forward pass changes the parameter. Frozen weights do not count: a large network of them would
    /// be copied at each batch.
    private static boolean changesForward(Parameter parameter) {
        return switch (parameter.getType()) {
            case RUNNING_MEAN, RUNNING_VAR, OTHER -> !parameter.requiresGradient();
            case WEIGHT, BIAS, GAMMA, BETA -> false;
        };
    }

    private static Role roleOf(Parameter parameter) {
        return switch (parameter.getType()) {
            case RUNNING_MEAN, RUNNING_VAR -> Role.BUFFER;
            case WEIGHT, BIAS, GAMMA, BETA, OTHER -> Role.WEIGHT;
        };
    }
}
