package dev.cairn.codec.huffman;

import java.util.Arrays;

/// Optimal code lengths under a limit, by package-merge (Larmore and Hirschberg, 1990). At each of `limit` levels, the
/// symbols, sorted by count, are merged with the pairs ("packages") of the level below. The length of a symbol is the
/// number of levels at which it is among the chosen items. The result is exact; 256 symbols take some tens of
/// microseconds.
final class CodeLengths {
    private CodeLengths() {}

    /// Returns the length of each symbol's code, or 0 if its count is 0. At least two counts must be positive.
    static byte[] of(int[] counts, int limit) {
        long[] leaves = sortedLeaves(counts);
        int n = leaves.length;
        boolean[][] isLeaf = new boolean[limit][];
        long[] below = new long[0];
        for (int level = 0; level < limit; level++) {
            int packages = below.length / 2;
            long[] merged = new long[n + packages];
            isLeaf[level] = new boolean[merged.length];
            int leaf = 0;
            int pack = 0;
            for (int i = 0; i < merged.length; i++) {
                long packed = pack < packages ? below[2 * pack] + below[2 * pack + 1] : Long.MAX_VALUE;
                if (leaf < n && leaves[leaf] >>> 8 <= packed) {
                    merged[i] = leaves[leaf++] >>> 8;
                    isLeaf[level][i] = true;
                } else {
                    merged[i] = packed;
                    pack++;
                }
            }
            below = merged;
        }
        byte[] lengths = new byte[counts.length];
        int chosen = 2 * n - 2;
        for (int level = limit - 1; level >= 0; level--) {
            int leaf = 0;
            for (int i = 0; i < chosen; i++) {
                if (isLeaf[level][i]) {
                    lengths[(int) leaves[leaf++] & 0xFF]++;
                }
            }
            chosen = 2 * (chosen - leaf);
        }
        return lengths;
    }

    /// Count and symbol in one number, in ascending order.
    private static long[] sortedLeaves(int[] counts) {
        long[] leaves = new long[counts.length];
        int n = 0;
        for (int symbol = 0; symbol < counts.length; symbol++) {
            if (counts[symbol] > 0) {
                leaves[n++] = ((long) counts[symbol] << 8) | symbol;
            }
        }
        leaves = Arrays.copyOf(leaves, n);
        Arrays.sort(leaves);
        return leaves;
    }
}
