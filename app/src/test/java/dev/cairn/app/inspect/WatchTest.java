package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.app.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static String watched(int rows, List<String> outputs) throws IOException {
        var text = new StringWriter();
        Iterator<String> next = outputs.iterator();
        new Watch(new PrintWriter(text), rows)
                .show(
                        out -> {
                            out.print(next.next());
                            return 0;
                        },
                        next::hasNext);
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    @Test
    void onATerminalItIsDrawnInPlace() throws IOException {
        assertThat(watched(24, List.of("one\ntwo\n", "one\n")))
                .isEqualTo("\033[Hone\033[K\ntwo\033[K\n\033[J\033[Hone\033[K\n\033[J");
    }

    @Test
    void ofALongOutputTheEndIsShown() throws IOException {
        assertThat(watched(3, List.of("1\n2\n3\n4\n"))).isEqualTo("\033[H3\033[K\n4\033[K\n\033[J");
    }

    @Test
    void elsewhereOnlyChangesArePrintedWithoutAnyEscape() throws IOException {
        assertThat(watched(0, List.of("one\n", "one\n", "two\n"))).isEqualTo("one\n\ntwo\n");
    }

    @Test
    void itEndsWhenNobodyReads() throws IOException {
        var broken = new PrintWriter(new StringWriter()) {
            @Override
            public boolean checkError() {
                return true;
            }
        };
        new Watch(broken, 24).show(out -> 0, () -> {
            throw new AssertionError("goes on");
        });
    }

    @Test
    void aScriptIsToldToAskAgain() {
        Cli refused = Cli.run("ls", "--watch", "--json", "anywhere");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--watch is for people");
    }
}
