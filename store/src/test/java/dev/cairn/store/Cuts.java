package dev.cairn.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Tensors cut into parts, and put together again element by element: slow, and plainly right.
public final class Cuts {
    private Cuts() {}

    /// Parts that make up the whole and do not overlap, cut at random.
    public static List<TensorSpec> random(TensorSpec whole, int count, Random random) {
        var parts = new ArrayList<>(List.of(part(whole, new long[whole.shape().size()], lengths(whole))));
        for (int attempt = 0; parts.size() < count && attempt < 100 * count; attempt++) {
            TensorSpec part = parts.get(random.nextInt(parts.size()));
            int dimension = random.nextInt(Math.max(1, part.shape().size()));
            if (!part.shape().isEmpty() && part.shape().get(dimension) > 1) {
                long first = 1 + random.nextLong(part.shape().get(dimension) - 1);
                parts.remove(part);
                parts.addAll(halves(whole, part, dimension, first));
            }
        }
        return parts;
    }

    /// As many parts of about the same length, cut across one dimension, as processes do it.
    public static List<TensorSpec> across(TensorSpec whole, int dimension, int count) {
        var parts = new ArrayList<TensorSpec>();
        long length = whole.shape().get(dimension);
        for (int i = 0; i < count; i++) {
            long[] offset = new long[whole.shape().size()];
            long[] shape = lengths(whole);
            offset[dimension] = length * i / count;
            shape[dimension] = length * (i + 1) / count - offset[dimension];
            parts.add(part(whole, offset, shape));
        }
        return parts;
    }

    /// A part of the whole that is not empty, anywhere within it.
    public static TensorSpec anyPart(TensorSpec whole, Random random) {
        long[] offset = new long[whole.shape().size()];
        long[] shape = new long[offset.length];
        for (int d = 0; d < offset.length; d++) {
            offset[d] = random.nextLong(whole.shape().get(d));
            shape[d] = 1 + random.nextLong(whole.shape().get(d) - offset[d]);
        }
        return part(whole, offset, shape);
    }

    public static TensorSpec part(TensorSpec whole, long[] offset, long[] shape) {
        return new TensorSpec(
                whole.name(), whole.type(), boxed(shape), whole.role(), new Extent(whole.shape(), boxed(offset)));
    }

    /// The bytes of the wanted tensor, each element from the last of the parts that has it.
    public static MemorySegment gather(List<TensorSpec> parts, List<MemorySegment> bytes, TensorSpec wanted) {
        MemorySegment gathered = MemorySegment.ofArray(new byte[Math.toIntExact(wanted.sizeBytes())]);
        int size = wanted.type().sizeBytes();
        for (int p = 0; p < parts.size(); p++) {
            for (long i = 0; i < parts.get(p).sizeBytes() / size; i++) {
                long to = place(parts.get(p), i, wanted);
                if (to >= 0) {
                    MemorySegment.copy(bytes.get(p), i * size, gathered, to * size, size);
                }
            }
        }
        return gathered;
    }

    /// Which element of the other an element is; -1 where it has it not.
    public static long place(TensorSpec from, long element, TensorSpec to) {
        long place = 0;
        long stride = 1;
        for (int d = from.shape().size() - 1; d >= 0; d--) {
            long at = element % from.shape().get(d) + offset(from, d) - offset(to, d);
            element /= from.shape().get(d);
            if (at < 0 || at >= to.shape().get(d)) {
                return -1;
            }
            place += at * stride;
            stride *= to.shape().get(d);
        }
        return place;
    }

    private static long offset(TensorSpec spec, int dimension) {
        Extent extent = spec.extent();
        return extent == null ? 0 : extent.offset().get(dimension);
    }

    private static List<TensorSpec> halves(TensorSpec whole, TensorSpec part, int dimension, long first) {
        long[] offset = new long[part.shape().size()];
        for (int d = 0; d < offset.length; d++) {
            offset[d] = offset(part, d);
        }
        long[] shape = lengths(part);
        long length = shape[dimension];
        shape[dimension] = first;
        TensorSpec one = part(whole, offset, shape);
        shape[dimension] = length - first;
        offset[dimension] += first;
        return List.of(one, part(whole, offset, shape));
    }

    private static long[] lengths(TensorSpec spec) {
        return spec.shape().stream().mapToLong(Long::longValue).toArray();
    }

    private static List<Long> boxed(long[] values) {
        var boxed = new ArrayList<Long>();
        for (long value : values) {
            boxed.add(value);
        }
        return boxed;
    }
}
