package dev.cairn.tensorflow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.OptionalDouble;

/// Records which units were active in any of the evaluated batches.
final class UnitActivity {
    private final BitSet active = new BitSet();
    private int units;

    /// @param largest largest output of each unit, float32
    void add(MemorySegment largest) {
        units = Math.toIntExact(largest.byteSize() / Float.BYTES);
        for (int unit = 0; unit < units; unit++) {
            if (largest.getAtIndex(ValueLayout.JAVA_FLOAT, unit) > 0) {
                active.set(unit);
            }
        }
    }

    /// The share of units that were never active; empty if there were none. Resets the record.
    OptionalDouble takeDead() {
        if (units == 0) {
            return OptionalDouble.empty();
        }
        double dead = (double) (units - active.cardinality()) / units;
        active.clear();
        units = 0;
        return OptionalDouble.of(dead);
    }
}
