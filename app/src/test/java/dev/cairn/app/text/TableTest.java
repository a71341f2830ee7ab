package dev.cairn.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static Table table() {
        Table table =
                Table.columns().text("name", 8).text("note", 4).figure("size").build();
        table.add("encoder.layers.11.attention.weight", "as it was", "1.23 MB");
        table.add("bias", "x", "4 B");
        return table;
    }

    @Test
    void whatWouldMoveTheCursorIsNotPrinted() {
        Table table = Table.columns().text("name", 8).build();
        table.add("a\n\u001b[31mb\u202e");
        assertThat(table.lines(80)).contains("a??[31mb?");
    }

    @Test
    void asWideAsItsTextWhereThereIsRoom() {
        assertThat(table().lines(80))
                .containsExactly(
                        "name                                note          size",
                        "encoder.layers.11.attention.weight  as it was  1.23 MB",
                        "bias                                x              4 B");
    }

    @Test
    void theFirstColumnGivesWayLast() {
        assertThat(table().lines(49))
                .containsExactly(
                        "name                                note     size",
                        "encoder.layers.11.attention.weight  as…s  1.23 MB",
                        "bias                                x         4 B");
        assertThat(table().lines(40).get(1))
                .isEqualTo(Table.shortened("encoder.layers.11.attention.weight", 25) + "  as…s  1.23 MB");
    }

    @Test
    void whatIsExtraIsLeftOutWhereThereIsNoRoom() {
        Table table = Table.columns()
                .figure("step")
                .extra("error")
                .word("status")
                .extra("id")
                .build();
        table.add(10, "0.12 %", "good", "0123456789");
        assertThat(table.lines(80))
                .containsExactly("step   error  status          id", "  10  0.12 %  good    0123456789");
        assertThat(table.lines(31)).containsExactly("step   error  status", "  10  0.12 %  good");
        assertThat(table.lines(19)).containsExactly("step  status", "  10  good");
        assertThat(table.lines(11)).containsExactly("step status", "  10 good");
    }

    @Test
    void noLineIsLongerThanTheTerminal() {
        for (int width = 25; width < 90; width++) {
            int limit = width;
            assertThat(table().lines(width)).allMatch(line -> line.length() <= limit);
        }
    }

    @Test
    void shortenedTextsKeepBothEnds() {
        assertThat(List.of(Table.shortened("abcdef", 6), Table.shortened("abcdef", 5), Table.shortened("abcdef", 4)))
                .containsExactly("abcdef", "ab…ef", "ab…f");
    }

    @Test
    void whatCanBeSparedIsLeftOutWhereColumnsStandCloseAlready() {
        Table table = Table.columns()
                .figure("step")
                .extraWord("codec")
                .spare("error")
                .spareWord("role")
                .word("status")
                .build();
        table.add(10, "lossy", "0.12 %", "weight", "good");
        assertThat(table.lines(80).getFirst()).isEqualTo("step  codec   error  role    status");
        assertThat(table.lines(34).getFirst()).isEqualTo("step   error  role    status");
        assertThat(table.lines(27).getFirst()).isEqualTo("step  error role   status");
        assertThat(table.lines(24).getFirst()).isEqualTo("step  error status");
        assertThat(table.lines(17).getFirst()).isEqualTo("step status");
    }
}
