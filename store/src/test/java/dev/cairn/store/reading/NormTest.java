package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormTest {
    /// From the smallest number to a quarter of the largest.
    @ParameterizedTest
    @ValueSource(doubles = {0, Double.MIN_VALUE, 1e-300, 1e-151, 1e-150, 1, 1e150, 1e151, 1e300, Double.MAX_VALUE / 4})
    void threeAndFourMakeFive(double unit) {
        var norm = new Norm();
        norm.add(-3 * unit / 4);
        norm.add(unit);
        assertThat(norm.value()).isCloseTo(5 * unit / 4, within(unit / 1e12 + Double.MIN_VALUE));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-200, 1, 1e200})
    void theLargestOutweighTheRest(double unit) {
        var norm = new Norm();
        for (double value : new double[] {unit * 1e-90, unit, 0, -unit * 1e-100, unit}) {
            norm.add(value);
        }
        assertThat(norm.value()).isCloseTo(Math.sqrt(2) * unit, within(unit / 1e12));
    }
}
