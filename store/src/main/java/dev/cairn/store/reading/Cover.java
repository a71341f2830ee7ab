package dev.cairn.store.reading;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Which stored parts of a tensor provide which elements of a wanted tensor. The wanted tensor may be the whole
/// tensor or any part of it. Pure: computed from descriptions only.
///
/// @param fills boxes that do not overlap, each with the part that has it
/// @param repeats boxes that a part also has although another part fills them: both must have the same bits
/// @param missing boxes that no part has
record Cover(List<Source> fills, List<Source> repeats, List<Box> missing) {
    /// More than any reasonable split needs: forged descriptions must not take unlimited memory or time.
    private static final int MOST_HOLES = 1 << 12;

    private static final int MOST_SOURCES = 1 << 18;

    Cover {
        fills = List.copyOf(fills);
        repeats = List.copyOf(repeats);
        missing = List.copyOf(missing);
    }

    /// Elements that a part has.
    record Source(TensorSpec part, Box box) {}

    /// Computes the cover. If the parts are split so irregularly that it would need too many boxes, everything is
    /// missing.
    ///
    /// @param parts the stored parts; parts of other tensors are ignored
    static Cover of(Collection<TensorSpec> parts, TensorSpec wanted) {
        var fills = new ArrayList<Source>();
        var repeats = new ArrayList<Source>();
        Box all = Box.of(wanted);
        List<Box> missing = all.isEmpty() ? List.of() : List.of(all);
        for (TensorSpec part : parts) {
            if (!isOfSameTensor(part, wanted)) {
                continue;
            }
            Box box = Box.of(part);
            var rest = new ArrayList<Box>();
            List<Box> repeated = all.intersection(box).map(List::of).orElse(List.of());
            for (Box hole : missing) {
                hole.intersection(box).ifPresent(filled -> fills.add(new Source(part, filled)));
                rest.addAll(hole.without(box));
                repeated = repeated.stream()
                        .flatMap(each -> each.without(hole).stream())
                        .toList();
            }
            repeated.forEach(each -> repeats.add(new Source(part, each)));
            missing = rest;
            if (missing.size() > MOST_HOLES || fills.size() + repeats.size() > MOST_SOURCES) {
                return new Cover(List.of(), List.of(), List.of(all));
            }
        }
        return new Cover(fills, repeats, missing);
    }

    /// Whether both are a tensor, or parts of a tensor, with the same name, type and shape.
    static boolean isOfSameTensor(TensorSpec one, TensorSpec other) {
        return one.name().equals(other.name())
                && one.type() == other.type()
                && wholeShape(one).equals(wholeShape(other));
    }

    /// The shape of the whole tensor of this tensor or part.
    static List<Long> wholeShape(TensorSpec spec) {
        Extent extent = spec.extent();
        return extent == null ? spec.shape() : extent.shape();
    }
}
