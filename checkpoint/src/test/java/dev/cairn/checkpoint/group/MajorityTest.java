package dev.cairn.checkpoint.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MajorityTest {
    @Test
    void findsThoseThatDifferFromMoreThanHalf() {
        assertThat(Majority.oddOnes(new long[] {5, 5, 5})).isEmpty();
        assertThat(Majority.oddOnes(new long[] {5})).isEmpty();
        assertThat(Majority.oddOnes(new long[] {5, 6, 5})).containsExactly(1);
        assertThat(Majority.oddOnes(new long[] {7, 5, 5, 5, 8})).containsExactly(0, 4);
    }

    @Test
    void withoutAMajorityNobodyIsRight() {
        assertThat(Majority.oddOnes(new long[] {5, 6})).containsExactly(0, 1);
        assertThat(Majority.oddOnes(new long[] {5, 5, 6, 6})).containsExactly(0, 1, 2, 3);
        assertThat(Majority.oddOnes(new long[] {1, 2, 3})).containsExactly(0, 1, 2);
    }
}
