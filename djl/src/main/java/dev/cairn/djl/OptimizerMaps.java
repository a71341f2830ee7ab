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

/// The private fields in which a DJL optimizer keeps its state: maps of arrays by the id of a parameter, which another
/// process gives anew, then by device; and how often each parameter was updated, on which Adam and schedules depend.
final class OptimizerMaps {
    private final Optimizer optimizer;
    private final SequencedMap<String, Map<String, Map<Device, NDArray>>> arrays = new TreeMap<>();
    private final Map<String, Integer> counts;
    private final Field total;

    /// @throws IllegalArgumentException where it keeps arrays in another way
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

    /// What it keeps, by field, then by the id of a parameter.
    SequencedMap<String, Map<String, Map<Device, NDArray>>> arrays() {
        return arrays;
    }

    /// What a field's arrays are to the training, as far as that is known.
    Role role(String field) {
        boolean isAdam = optimizer instanceof Adam || optimizer instanceof AdamW;
        boolean isMomentum = optimizer instanceof Sgd || optimizer instanceof Nag;
        if (isMomentum || (isAdam && field.equals("means"))) {
            return Role.FIRST_MOMENT;
        }
        return isAdam && field.equals("variances") ? Role.SECOND_MOMENT : Role.OPTIMIZER;
    }

    /// Has it keep zeros of a parameter, as after its first update, where it keeps nothing yet.
    void prepare(String field, String id, NDArray parameter) {
        Map<String, Map<Device, NDArray>> kept = arrays.get(field);
        if (kept == null) {
            throw new IllegalStateException("the checkpoint is of another optimizer: class=%s has no field %s"
                    .formatted(optimizer.getClass().getSimpleName(), field));
        }
        kept.computeIfAbsent(id, _ -> new ConcurrentHashMap<>()).computeIfAbsent(parameter.getDevice(), _ -> {
            NDArray zeros = parameter.zerosLike();
            zeros.detach(); // as DJL does: it belongs to no manager that may close it
            return zeros;
        });
    }

    /// How often this parameter was updated.
    int count(String id) {
        return counts.getOrDefault(id, 0);
    }

    /// Sets how often each parameter was updated.
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
                "the state of this optimizer cannot be found: class=%s keeps a %s; keep it as DJL's do, in a Map<String, Map<Device, NDArray>>"
                        .formatted(optimizer.getClass().getName(), name));
    }

    private static Field inherited(String name) {
        try {
            Field field = Optimizer.class.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "this DJL keeps the state of optimizers elsewhere: no field %s; use version 0.35.1".formatted(name),
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
