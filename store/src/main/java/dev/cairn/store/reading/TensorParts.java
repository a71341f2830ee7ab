package dev.cairn.store.reading;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/// Combines the parts of tensors. Writers may split a tensor in any way. A reader requests the whole tensor or any
/// part of it, and [CheckpointReader] reads it from the parts that have it. Pure.
public final class TensorParts {
    private TensorParts() {}

    /// Returns these tensors with one whole tensor instead of the parts that form it, at the position of the first
    /// part. Parts that do not form a whole tensor stay unchanged.
    public static List<TensorSpec> joined(Collection<TensorSpec> stored) {
        var byName = new LinkedHashMap<String, List<TensorSpec>>();
        stored.forEach(spec ->
                byName.computeIfAbsent(spec.name(), _ -> new ArrayList<>(1)).add(spec));
        var joined = new ArrayList<TensorSpec>();
        for (List<TensorSpec> parts : byName.values()) {
            TensorSpec first = parts.getFirst();
            var whole = new TensorSpec(first.name(), first.type(), Cover.wholeShape(first), first.role());
            boolean makeUp = parts.stream().allMatch(part -> Cover.isOfSameTensor(part, whole))
                    && missing(parts, whole).isEmpty();
            joined.addAll(makeUp ? List.of(whole) : parts);
        }
        return joined;
    }

    /// The whole tensors that are stored in parts, each once. Tensors that are only stored whole are not among them.
    public static List<TensorSpec> wholes(Collection<TensorSpec> stored) {
        var wholes = new LinkedHashMap<List<Object>, TensorSpec>();
        for (TensorSpec part : stored) {
            if (part.extent() != null) {
                List<Long> shape = Cover.wholeShape(part);
                wholes.putIfAbsent(
                        List.of(part.name(), part.type(), shape),
                        new TensorSpec(part.name(), part.type(), shape, part.role()));
            }
        }
        return List.copyOf(wholes.values());
    }

    /// The parts of this tensor that no stored tensor has: empty if it can be read, all of it if the stored tensors
    /// are other tensors, otherwise the missing parts.
    public static List<TensorSpec> missing(Collection<TensorSpec> stored, TensorSpec wanted) {
        return areOf(stored, wanted)
                ? Cover.of(stored, wanted).missing().stream()
                        .map(box -> part(wanted, box))
                        .toList()
                : List.of(wanted);
    }

    /// Whether an element of this tensor is stored more than once.
    public static boolean overlap(Collection<TensorSpec> stored, TensorSpec wanted) {
        return !Cover.of(stored, wanted).repeats().isEmpty();
    }

    /// Whether one of the stored tensors belongs to the same whole tensor as this one: the whole tensors have the
    /// same name, type and shape.
    public static boolean areOf(Collection<TensorSpec> stored, TensorSpec wanted) {
        return stored.stream().anyMatch(part -> Cover.isOfSameTensor(part, wanted));
    }

    static TensorSpec part(TensorSpec wanted, Box box) {
        return new TensorSpec(
                wanted.name(),
                wanted.type(),
                box.shape(),
                wanted.role(),
                new Extent(Cover.wholeShape(wanted), box.offset()));
    }
}
