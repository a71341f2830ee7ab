package dev.cairn.plan.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NameTableTest {
    @Test
    void numbersNamesAsAMapWould() {
        var random = new SplittableRandom(3);
        var table = new NameTable();
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            String name = "m" + random.nextInt(20_000) + (random.nextInt(4) == 0 ? "é\u0000x" : "");
            int number = expected.computeIfAbsent(name, _ -> expected.size());
            assertThat(table.numberOf("send " + name + " ", 5, 5 + name.length()))
                    .isEqualTo(number);
        }
        assertThat(table.count()).isEqualTo(expected.size());
        expected.forEach((name, number) -> assertThat(table.name(number)).isEqualTo(name));
    }

    @Test
    void keepsNamesApartThatBeginAlike() {
        var table = new NameTable();
        assertThat(table.numberOf("a", 0, 1)).isZero();
        assertThat(table.numberOf("ab", 0, 2)).isEqualTo(1);
        assertThat(table.numberOf("abc", 0, 2)).isEqualTo(1);
        assertThat(table.numberOf("abc", 1, 2)).isEqualTo(2);
        assertThat(table.numberOf("x".repeat(5000), 0, 5000)).isEqualTo(3);
        assertThat(table.name(3)).hasSize(5000);
    }
}
