package dev.cairn.store.reading;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Which of the stored parts of a tensor give which elements of a wanted one, which may be the whole tensor or any part
/// of it. Pure: made of descriptions alone.
///
/// @param fills boxes that do not overlap, each with the part that has it
/// @param repeats boxes that a part has, too, although another fills them: both must have the same bits
/// @param missing boxes that no part has
record Cover(List<Source> fills, List<Source> repeats, List<Box> missing) {
    /// More than any sensible cut needs: what is made up shall take neither memory nor time without bound.
    private static final int MOST_HOLES = 1 << 12;

    private static final int MOST_SOURCES = 1 << 18;

    Cover {
        fills = List.copyOf(fills);
        repeats = List.copyOf(repeats);
        missing = List.copyOf(missing);
    }

    /// Elements that a part has.
    record Source(TensorSpec part, Box box) {}

    /// Where the parts are cut so wildly that it would take too many boxes, all is missing.
    ///
    /// @param parts those that are not of the same tensor are left out of account
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

    /// Whether both are, or are parts of, a tensor of one name, type and shape.
    static boolean isOfSameTensor(TensorSpec one, TensorSpec other) {
        return one.name().equals(other.name())
                && one.type() == other.type()
                && wholeShape(one).equals(wholeShape(other));
    }

    /// The shape of the tensor that this is, or is a part of.
    static List<Long> wholeShape(TensorSpec spec) {
        Extent extent = spec.extent();
        return extent == null ? spec.shape() : extent.shape();
    }
}
