package dev.cairn.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProseTest {
    @Test
    void breaksBetweenWordsAndGoesOnBelow() {
        assertThat(Prose.lines("  copy  ", "complete in runs/second of two", 24))
                .containsExactly("  copy  complete in", "        runs/second of", "        two");
        assertThat(Prose.lines("", "all of it fits", 14)).containsExactly("all of it fits");
    }

    @Test
    void aWordThatIsWiderStaysWhole() {
        assertThat(Prose.lines("to  ", "a /very/long/path it", 10))
                .containsExactly("to  a", "    /very/long/path", "    it");
        assertThat(Prose.lines("to  ", "/very/long/path", 10)).containsExactly("to  /very/long/path");
    }

    @Test
    void aNumberStaysWithItsUnit() {
        assertThat(Prose.lines("", "it took 3 s, then 1 h 02 min", 9))
                .containsExactly("it took", "3 s, then", "1 h 02 min");
        assertThat(Prose.lines("", "of 12.3 MB (4.5 %) 2 saves", 9))
                .containsExactly("of", "12.3 MB", "(4.5 %) 2", "saves");
    }
}
