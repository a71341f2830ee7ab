package dev.cairn.formats.bundle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A bundle's description of a tensor, TensorFlow's `BundleEntryProto`. Its form is checked; it is not yet compared
/// with the bundle.
///
/// @param type one of the numbers in [BundleTypes]
/// @param shard number of the file that has its bytes
/// @param crc masked checksum of its bytes
/// @param slices number of parts that it is stored in, each with an entry of its own; 0 if it is stored whole
record BundleEntry(long type, List<Long> shape, long shard, long offset, long size, int crc, int slices) {
    private static final int TYPE = 1;
    private static final int SHAPE = 2;
    private static final int SHARD = 3;
    private static final int OFFSET = 4;
    private static final int SIZE = 5;
    private static final int CRC = 6;
    private static final int SLICES = 7;
    private static final int DIMENSION = 2;
    private static final int UNKNOWN_RANK = 3;
    private static final int DIMENSION_SIZE = 1;

    /// The maximum number of dimensions in TensorFlow.
    static final int MOST_DIMENSIONS = 254;

    BundleEntry {
        shape = List.copyOf(shape);
    }

    static BundleEntry parse(WireInput message) throws IOException {
        long type = 0;
        List<Long> shape = List.of();
        long shard = 0;
        long offset = 0;
        long size = 0;
        int crc = 0;
        int slices = 0;
        while (message.hasMore()) {
            long tag = message.varint();
            if (tag == ((TYPE << 3) | WireInput.VARINT)) {
                type = message.varint();
            } else if (tag == ((SHAPE << 3) | WireInput.LENGTH)) {
                shape = shape(message.message());
            } else if (tag == ((SHARD << 3) | WireInput.VARINT)) {
                shard = message.varint();
            } else if (tag == ((OFFSET << 3) | WireInput.VARINT)) {
                offset = message.varint();
            } else if (tag == ((SIZE << 3) | WireInput.VARINT)) {
                size = message.varint();
            } else if (tag == ((CRC << 3) | WireInput.FIXED32)) {
                crc = message.fixed32();
            } else {
                slices += tag == ((SLICES << 3) | WireInput.LENGTH) ? 1 : 0;
                message.skip(tag);
            }
        }
        return new BundleEntry(type, shape, shard, offset, size, crc, slices);
    }

    private static List<Long> shape(WireInput message) throws IOException {
        var shape = new ArrayList<Long>();
        while (message.hasMore()) {
            long tag = message.varint();
            if (tag == ((DIMENSION << 3) | WireInput.LENGTH)) {
                shape.add(dimension(message.message()));
            } else if (tag == ((UNKNOWN_RANK << 3) | WireInput.VARINT) && message.varint() != 0) {
                throw message.damaged("a tensor of unknown shape");
            } else if (tag != ((UNKNOWN_RANK << 3) | WireInput.VARINT)) {
                message.skip(tag);
            }
            if (shape.size() > MOST_DIMENSIONS) {
                throw message.damaged("a tensor of more than %d dimensions".formatted(MOST_DIMENSIONS));
            }
        }
        return shape;
    }

    private static long dimension(WireInput message) throws IOException {
        long size = 0;
        while (message.hasMore()) {
            long tag = message.varint();
            if (tag == ((DIMENSION_SIZE << 3) | WireInput.VARINT)) {
                size = message.varint();
            } else {
                message.skip(tag);
            }
        }
        return size;
    }

    byte[] toBytes() {
        var dimensions = new WireOutput();
        for (long dimension : shape) {
            var message = new WireOutput();
            message.number(DIMENSION_SIZE, dimension);
            dimensions.message(DIMENSION, message.toBytes());
        }
        var message = new WireOutput();
        message.number(TYPE, type);
        message.message(SHAPE, dimensions.toBytes());
        message.number(SHARD, shard);
        message.number(OFFSET, offset);
        message.number(SIZE, size);
        message.varint((CRC << 3) | WireInput.FIXED32);
        message.fixed32(crc);
        return message.toBytes();
    }
}
