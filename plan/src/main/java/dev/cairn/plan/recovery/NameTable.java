package dev.cairn.plan.recovery;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/// Numbers names from 0 on, in the order in which they are first seen. Millions of names share one array, so that a
/// lookup touches little memory. Not thread-safe.
final class NameTable {
    private final long seed = ThreadLocalRandom.current().nextLong();
    private char[] characters = new char[1 << 10];
    private int[] starts = new int[64];
    private int count;

    /// Each slot holds the hash of a name and its number plus one, or 0 if it is free. At most half of the slots are
    /// used.
    private long[] slots = new long[128];

    int count() {
        return count;
    }

    String name(int number) {
        return new String(characters, starts[number], starts[number + 1] - starts[number]);
    }

    /// Returns the number of the name in this part of a text. A name that was not seen before gets a new number.
    int numberOf(CharSequence text, int from, int to) {
        int hash = hash(text, from, to);
        int mask = slots.length - 1;
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long slot = slots[at];
            if (slot == 0) {
                slots[at] = slot(hash, count);
                return add(text, from, to);
            }
            int number = (int) slot - 1;
            if ((int) (slot >>> 32) == hash && isAt(number, text, from, to)) {
                return number;
            }
        }
    }

    private int add(CharSequence text, int from, int to) {
        int start = starts[count];
        int end = Math.addExact(start, to - from);
        if (end > characters.length) {
            characters = Arrays.copyOf(characters, Math.max(end, Math.multiplyExact(2, characters.length)));
        }
        for (int i = from; i < to; i++) {
            characters[start + i - from] = text.charAt(i);
        }
        if (count + 1 == starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[++count] = end;
        if (2 * count > slots.length) {
            grow();
        }
        return count - 1;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        int mask = slots.length - 1;
        for (long slot : old) {
            if (slot != 0) {
                int at = (int) (slot >>> 32) & mask;
                while (slots[at] != 0) {
                    at = (at + 1) & mask;
                }
                slots[at] = slot;
            }
        }
    }

    private boolean isAt(int number, CharSequence text, int from, int to) {
        int start = starts[number];
        if (starts[number + 1] - start != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (characters[start + i - from] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static long slot(int hash, int number) {
        return (long) hash << 32 | (number + 1);
    }

    /// FNV-1a with a random seed for each table, so that an attacker cannot choose names that collide.
    private int hash(CharSequence text, int from, int to) {
        long hash = seed;
        for (int i = from; i < to; i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return (int) (hash ^ hash >>> 32);
    }
}
