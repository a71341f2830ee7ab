package dev.cairn.formats.bundle;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.Notes;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The contents of a bundle's index, not yet compared with its data.
///
/// @param shards number of data files
/// @param tensors whole tensors that are not text, in the order of their bytes
/// @param metadata the text tensor named `__metadata__`
/// @param notes what was left out
record BundleIndex(int shards, List<Row> tensors, Optional<Row> metadata, List<String> notes) {
    /// The name of the text tensor that holds metadata in bundles that Cairn wrote.
    static final String METADATA = "__metadata__";

    /// The memory of a row, of its tensor and of their places, without name and shape.
    private static final long ROW_BYTES = 600;

    record Row(String name, BundleEntry entry) {}

    static BundleIndex read(Input index) throws IOException {
        var allowance = new Allowance(index.name());
        var reader = new Reader(index.name(), allowance);
        SortedTable.read(index, allowance, reader::accept);
        return reader.finish();
    }

    private static final class Reader {
        private final String file;
        private final Allowance allowance;
        private final List<Row> tensors = new ArrayList<>();
        private final Notes notes = new Notes();
        private Optional<Row> metadata = Optional.empty();
        private int shards;
        private int parts;

        Reader(String file, Allowance allowance) {
            this.file = file;
            this.allowance = allowance;
        }

        void accept(byte[] key, WireInput value) throws IOException {
            if (key.length == 0) {
                shards = BundleHeader.parse(file, value).shards();
            } else if (shards == 0) {
                throw new DamagedFileException(file, "does not begin with a header");
            } else if (key[0] == 0) {
                parts++; // the entry of their variable comes later and counts them
            } else {
                add(new Row(text(key), BundleEntry.parse(value)));
            }
        }

        private void add(Row row) throws UnsupportedException {
            allowance.take(ROW_BYTES
                    + 2L * row.name().length()
                    + 24L * row.entry().shape().size());
            if (row.entry().slices() > 0) {
                throw UnsupportedException.tensor(
                        file,
                        row.name(),
                        "is stored in %d parts, as a partitioned variable; save it whole"
                                .formatted(row.entry().slices()));
            }
            if (row.entry().type() != BundleTypes.STRING) {
                tensors.add(row);
            } else if (row.name().equals(METADATA) && row.entry().shape().isEmpty()) {
                metadata = Optional.of(row);
            } else {
                notes.add("text tensor %s", row.name());
            }
        }

        BundleIndex finish() throws DamagedFileException {
            if (shards == 0 || parts > 0) {
                throw new DamagedFileException(
                        file,
                        shards == 0 ? "has no header" : "has %d parts that belong to no variable".formatted(parts));
            }
            tensors.sort(Comparator.comparingLong((Row row) -> row.entry().shard())
                    .thenComparingLong(row -> row.entry().offset())
                    .thenComparingLong(row -> row.entry().size()));
            return new BundleIndex(shards, tensors, metadata, notes.lines());
        }

        private String text(byte[] key) throws DamagedFileException {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(key))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new DamagedFileException(file, "a name that is not UTF-8");
            }
        }
    }
}
