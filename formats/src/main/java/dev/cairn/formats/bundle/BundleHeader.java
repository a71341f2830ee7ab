package dev.cairn.formats.bundle;

import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;

/// A bundle's description of itself, TensorFlow's `BundleHeaderProto`: the number of its data files. Its numbers are
/// little-endian.
record BundleHeader(int shards) {
    private static final int SHARDS = 1;
    private static final int BYTE_ORDER = 2;
    private static final int VERSION = 3;
    private static final int PRODUCER = 1;
    private static final int MIN_CONSUMER = 2;

    /// The version of the format since TensorFlow 0.12.
    private static final long VERSION_KNOWN = 1;

    static BundleHeader parse(String file, WireInput message) throws IOException {
        long shards = 0;
        long byteOrder = 0;
        long minConsumer = 0;
        while (message.hasMore()) {
            long tag = message.varint();
            if (tag == ((SHARDS << 3) | WireInput.VARINT)) {
                shards = message.varint();
            } else if (tag == ((BYTE_ORDER << 3) | WireInput.VARINT)) {
                byteOrder = message.varint();
            } else if (tag == ((VERSION << 3) | WireInput.LENGTH)) {
                minConsumer = minConsumer(message.message());
            } else {
                message.skip(tag);
            }
        }
        if (byteOrder != 0) {
            throw new UnsupportedException(
                    file, "was saved on a big-endian machine; load it and save it on a little-endian one");
        }
        if (minConsumer > VERSION_KNOWN) {
            throw new UnsupportedException(
                    file,
                    "has version %d, but Cairn knows only versions up to %d; save it with an older TensorFlow"
                            .formatted(minConsumer, VERSION_KNOWN));
        }
        if (shards < 1 || shards > Integer.MAX_VALUE) {
            throw message.damaged("data in %d files".formatted(shards));
        }
        return new BundleHeader((int) shards);
    }

    private static long minConsumer(WireInput version) throws IOException {
        long minConsumer = 0;
        while (version.hasMore()) {
            long tag = version.varint();
            if (tag == ((MIN_CONSUMER << 3) | WireInput.VARINT)) {
                minConsumer = version.varint();
            } else {
                version.skip(tag);
            }
        }
        return minConsumer;
    }

    byte[] toBytes() {
        var version = new WireOutput();
        version.number(PRODUCER, VERSION_KNOWN);
        var message = new WireOutput();
        message.number(SHARDS, shards);
        message.message(VERSION, version.toBytes());
        return message.toBytes();
    }
}
