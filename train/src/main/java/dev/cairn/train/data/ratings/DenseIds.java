package dev.cairn.train.data.ratings;

/// Renumbers ids from 0 without gaps, in ascending order. The same ids get the same numbers, whatever the order of
/// the input.
final class DenseIds {
    private static final int WORD_BITS = 6;

    private DenseIds() {}

    /// Replaces every id by its number.
    ///
    /// @param ids the ids, not negative
    /// @return the number of different ids
    static int number(int[] ids) {
        int largest = 0;
        for (int id : ids) {
            largest = Math.max(largest, id);
        }
        var present = new long[(largest >>> WORD_BITS) + 1];
        for (int id : ids) {
            present[id >>> WORD_BITS] |= 1L << id;
        }
        // The number of ids before each word.
        var before = new int[present.length];
        int count = 0;
        for (int word = 0; word < present.length; word++) {
            before[word] = count;
            count += Long.bitCount(present[word]);
        }
        for (int i = 0; i < ids.length; i++) {
            int word = ids[i] >>> WORD_BITS;
            long lower = (1L << ids[i]) - 1;
            ids[i] = before[word] + Long.bitCount(present[word] & lower);
        }
        return count;
    }
}
