package dev.cairn.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.optimizer.Adam;
import ai.djl.training.optimizer.AdamW;
import ai.djl.training.optimizer.Nag;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.optimizer.Sgd;
import dev.cairn.store.Role;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The private fields in which a DJL optimizer keeps its state. They are maps of arrays by the id of a parameter, which
/// differs between processes, and then by device. The state also has the number of updates of each parameter, on which
/// Adam and schedules depend.
final class OptimizerMaps {
    private final Optimizer optimizer;
    private final SequencedMap<String, Map<String, Map<Device, NDArray>>> arrays = new TreeMap<>();
    private final Map<String, Integer> counts;
    private final Field total;

    /// @throws IllegalArgumentException if the optimizer keeps arrays in another way
    @SuppressWarnings("unchecked") // the generic type was compared, or is DJL's own
    OptimizerMaps(Optimizer optimizer) {
        this.optimizer = optimizer;
        for (Class<?> type = optimizer.getClass(); type != Optimizer.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && keepsArrays(field.getGenericType())) {
                    arrays.put(field.getName(), (Map<String, Map<Device, NDArray>>) value(field));
                }
            }
        }
        this.counts = (Map<String, Integer>) value(inherited("updateCounts"));
        this.total = inherited("numUpdate");
    }

    /// The arrays of the optimizer, by field and then by the id of a parameter.
    SequencedMap<String, Map<String, Map<Device, NDArray>>> arrays() {
        return arrays;
    }

    /// The role of a field's arrays in the training, if it is known.
    Role role(String field) {
        boolean isAdam = optimizer instanceof Adam || optimizer instanceof AdamW;
        boolean isMomentum = optimizer instanceof Sgd || optimizer instanceof Nag;
        if (isMomentum || (isAdam && field.equals("means"))) {
            return Role.FIRST_MOMENT;
        }
        return isAdam && field.equals("variances") ? Role.SECOND_MOMENT : Role.OPTIMIZER;
    }

    /// Makes the optimizer keep zeros for a parameter, as after its first update, if it keeps nothing yet.
    void prepare(String field, String id, NDArray parameter) {
        Map<String, Map<Device, NDArray>> kept = arrays.get(field);
        if (kept == null) {
            throw new IllegalStateException(
                    "the checkpoint has the state of another optimizer: class=%s has no field %s"
                            .formatted(optimizer.getClass().getSimpleName(), field));
        }
        kept.computeIfAbsent(id, _ -> new ConcurrentHashMap<>()).computeIfAbsent(parameter.getDevice(), _ -> {
            NDArray zeros = parameter.zerosLike();
            zeros.detach(); // as DJL does, so that no manager closes it
            return zeros;
        });
    }

    /// The number of updates of this parameter.
    int count(String id) {
        return counts.getOrDefault(id, 0);
    }

    /// Sets the number of updates of each parameter.
    void setCounts(Map<String, Integer> updates) {
        counts.clear();
        int most = 0;
        for (Map.Entry<String, Integer> update : updates.entrySet()) {
            if (update.getValue() > 0) {
                counts.put(update.getKey(), update.getValue());
                most = Math.max(most, update.getValue());
            }
        }
        try {
            total.setInt(optimizer, most);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean keepsArrays(Type type) {
        String name = type.getTypeName();
        if (!name.contains(NDArray.class.getName()) && !name.contains(NDList.class.getName())) {
            return false;
        }
        if (type instanceof ParameterizedType map
                && map.getRawType() == Map.class
                && map.getActualTypeArguments()[0] == String.class
                && map.getActualTypeArguments()[1] instanceof ParameterizedType byDevice
                && byDevice.getRawType() == Map.class
                && byDevice.getActualTypeArguments()[0] == Device.class
                && byDevice.getActualTypeArguments()[1] == NDArray.class) {
            return true;
        }
        throw new IllegalArgumentException(
                "the state of this optimizer cannot be found: class=%s keeps a %s; keep its state like DJL's optimizers, in a Map<String, Map<Device, NDArray>>"
                        .formatted(optimizer.getClass().getName(), name));
    }

    private static Field inherited(String name) {
        try {
            Field field = Optimizer.class.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "this version of DJL keeps the state of optimizers elsewhere: no field %s; use version 0.35.1"
                            .formatted(name),
                    e);
        }
    }

    private Object value(Field field) {
        try {
            field.setAccessible(true);
            return field.get(optimizer);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
