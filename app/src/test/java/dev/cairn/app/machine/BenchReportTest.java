package dev.cairn.app.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.Bench;
import dev.cairn.bench.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    /// One row that reaches its limit, one that does not, one without.
    private static final Bench MEASURED = new Bench() {
        @Override
        public List<Row> run() {
            return List.of(
                    new Row("some.speed", 2, "x", 1.0, 3.0, true),
                    new Row("some.size", 0.5, "x", 1.0, 3.0, false),
                    new Row("some.other", 12345.6, "MB/s", null, null, true));
        }

        @Override
        public double memcpyBytesPerSecond() {
            return 5e9;
        }

        @Override
        public String note() {
            return "of a state of 8 MB, on one thread";
        }
    };

    private static BenchReport report(String data) throws Exception {
        return new BenchReport(MEASURED.run(), MEASURED, data);
    }

    @Test
    void peopleReadTheRowsAndWhatTheyAreFor() throws Exception {
        var text = new StringWriter();
        report("mnist").print(new PrintWriter(text, true));
        assertThat(text.toString().lines().map(String::stripTrailing))
                .containsExactly(
                        "row                         value  unit                must      aim  ok",
                        "some.speed                  2.000  x                  1.000    3.000  yes",
                        "some.size                  0.5000  x                  1.000    3.000  NO",
                        "some.other              1.235e+04  MB/s                   –        –",
                        "memcpy 5.00 GB/s; data: mnist; of a state of 8 MB, on one thread");
    }

    @Test
    void scriptsReadTheSame() throws Exception {
        var document = report("digits").document();
        assertThat(document.path("rows")).hasSize(3);
        assertThat(document.path("rows").path(1).path("name").asText()).isEqualTo("some.size");
        assertThat(document.path("rows").path(1).path("ok").asBoolean(true)).isFalse();
        assertThat(document.path("rows").path(2).path("must").isNull()).isTrue();
        assertThat(document.path("data").asText()).isEqualTo("digits");
        assertThat(document.path("note").asText()).isEqualTo(MEASURED.note());
    }
}
