package dev.cairn.store.segment;

import dev.cairn.codec.parity.Healing;
import dev.cairn.codec.parity.UnhealableException;
import dev.cairn.store.DamagedException;
import java.io.IOException;

/// Finds all damage of a segment's file, and computes what its bytes were.
public final class SegmentHealing {
    private SegmentHealing() {}

    /// Reads the whole file.
    ///
    /// @param file its bytes
    /// @param spares where bytes are read from that parity cannot heal
    /// @throws DamagedException if neither parity nor a copy heals it
    public static Healing find(SegmentRef segment, Healing.Source<IOException> file, Spares spares) throws IOException {
        var spare = new SpareFile(spares, segment);
        try (spare) {
            return Healing.of(segment.layout(), file, spare::read);
        } catch (UnhealableException e) {
            throw new DamagedException(segment.name(), "parity does not heal it: " + e.getMessage() + spare.failure());
        }
    }

    /// What the bytes were computed or read from, such as `its parity`.
    public static String source(Healing healing) {
        return healing.copiedBytes() == 0
                ? "its parity"
                : "its parity and %d bytes of the copy".formatted(healing.copiedBytes());
    }
}
