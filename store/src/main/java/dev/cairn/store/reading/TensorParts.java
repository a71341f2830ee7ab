package dev.cairn.store.reading;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/// What the parts of tensors are together. Writers may cut a tensor in any way; a reader asks for the whole tensor, or
/// for any part of it, and [CheckpointReader] takes it from the parts that have it. Pure.
public final class TensorParts {
    private TensorParts() {}

    /// These tensors with one whole tensor in place of the parts that make it up, where the first of them stood. Parts
    /// that do not make up a whole tensor stay as they are.
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

    /// What none of the stored tensors has of this one: nothing where it can be read, all of it where they are of
    /// other tensors, else the parts that are missing.
    public static List<TensorSpec> missing(Collection<TensorSpec> stored, TensorSpec wanted) {
        return areOf(stored, wanted)
                ? Cover.of(stored, wanted).missing().stream()
                        .map(box -> part(wanted, box))
                        .toList()
                : List.of(wanted);
    }

    /// Whether one of the stored tensors is, or is a part of, the tensor that this one is, or is a part of: it has the
    /// name, the type and the shape of the whole.
    public static boolean areOf(Collection<TensorSpec> stored, TensorSpec wanted) {
        return stored.stream().anyMatch(part -> Cover.isOfSameTensor(part, wanted));
    }

    private static TensorSpec part(TensorSpec wanted, Box box) {
        return new TensorSpec(
                wanted.name(),
                wanted.type(),
                box.shape(),
                wanted.role(),
                new Extent(Cover.wholeShape(wanted), box.offset()));
    }
}
