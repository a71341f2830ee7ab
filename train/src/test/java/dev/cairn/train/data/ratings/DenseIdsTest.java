package dev.cairn.train.data.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DenseIdsTest {
    @Test
    void idsOfAnySizeAreNumberedInTheirOrder() {
        int[] ids = {RatingTable.LARGEST_ID, 0, 64, 63, 64, 127, 128};
        assertThat(DenseIds.number(ids)).isEqualTo(6);
        assertThat(ids).containsExactly(5, 0, 2, 1, 2, 3, 4);
    }
}
