package dev.cairn.app.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryLineCommandTest {
    private static final String SMALL = """
            {"processes": {"P": ["send m1", "checkpoint CP1", "receive m2", "checkpoint CP2"],
                           "Q": ["checkpoint CQ1", "receive m1", "send m2", "checkpoint CQ2"]}}
            """;

    @TempDir
    Path folder;

    private Cli run(String trace, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("trace.json"), trace);
        String[] args = new String[options.length + 2];
        args[0] = "recovery-line";
        args[1] = file.toString();
        System.arraycopy(options, 0, args, 2, options.length);
        return Cli.run(args);
    }

    @Test
    void listsStatesAndLinesAndTheLatest() throws IOException {
        JsonNode json = run(SMALL, "--json").json();
        assertThat(json.path("consistent").toString())
                .isEqualTo(
                        "[{\"P\":\"CP1\",\"Q\":\"CQ1\"},{\"P\":\"CP1\",\"Q\":\"CQ2\"},{\"P\":\"CP2\",\"Q\":\"CQ2\"}]");
        assertThat(json.path("lines").toString()).isEqualTo("[{\"P\":\"CP2\",\"Q\":\"CQ2\"}]");
        assertThat(json.path("latest").toString()).isEqualTo("{\"P\":\"CP2\",\"Q\":\"CQ2\"}");
        assertThat(json.path("rollback").toString()).isEqualTo("{\"P\":0,\"Q\":0}");
        assertThat(json.path("domino").asBoolean()).isFalse();
    }

    @Test
    void aProcessMayHaveAnAtInItsName() throws IOException {
        String trace = SMALL.replace("\"Q\"", "\"rank@host\"");
        assertThat(run(trace, "--failed", "rank@host", "--json").code()).isZero();
        JsonNode json = run(trace, "--json", "--failed", "rank@host@CQ1").json();
        assertThat(json.path("latest").toString()).isEqualTo("{\"P\":\"CP1\",\"rank@host\":\"CQ1\"}");
    }

    @Test
    void aFailureRollsBack() throws IOException {
        JsonNode json = run(SMALL, "--json", "--failed", "Q@CQ1").json();
        assertThat(json.path("latest").toString()).isEqualTo("{\"P\":\"CP1\",\"Q\":\"CQ1\"}");
        assertThat(json.path("rollback").toString()).isEqualTo("{\"P\":1,\"Q\":1}");
        assertThat(run(SMALL, "--failed", "Q@CQ1").out()).contains("2 of 2 processes go back", "1 checkpoint undone");
        JsonNode start = run(SMALL, "--json", "--failed", "P@P#0").json();
        assertThat(start.path("latest").toString()).isEqualTo("{\"P\":\"P#0\",\"Q\":\"CQ1\"}");
    }

    @Test
    void namesThatCannotBeShownAreRefused() throws IOException {
        for (String name : new String[] {"\\u001b[31mP", "P\\n"}) {
            Cli refused = run("{\"processes\": {\"%s\": [\"checkpoint C\"]}}".formatted(name));
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("the name of a process has a character that cannot be printed: U+");
        }
        assertThat(run("{\"processes\": {\"%s\": []}}".formatted("x".repeat(70_000)))
                        .code())
                .isEqualTo(2);
        Path drawing = folder.resolve("trace.json");
        assertThat(run(SMALL, "--svg", drawing.toString()).err()).contains("--svg would replace the trace");
        assertThat(Files.readString(drawing)).isEqualTo(SMALL);
    }

    @Test
    void someProcessesAndTheBeginning() throws IOException {
        JsonNode json = run(SMALL, "--json", "--processes", "P").json();
        assertThat(json.path("lines").toString()).isEqualTo("[{\"P\":\"CP2\"}]");
        JsonNode all = run(SMALL, "--json", "--with-initial").json();
        assertThat(all.path("consistent")).hasSize(3 + 3);
    }

    @Test
    void whereNoStateIsListedItSaysWhichOnesAreLeftOut() throws IOException {
        String trace = "{\"processes\": {\"P\": [\"send m1\", \"checkpoint CP1\"], \"Q\": [\"receive m1\"]}}";
        assertThat(run(trace).out().replaceAll("\\s+", " "))
                .contains("0 consistent states in which every process has a checkpoint (--with-initial lists others)")
                .contains("Q#0");
        assertThat(run(trace, "--with-initial").out())
                .contains("2 consistent states")
                .doesNotContain("--with");
        assertThat(run("hi").err()).contains("is not valid JSON: line 1: Unrecognized token 'hi'; see");
    }

    @Test
    void drawsATrace() throws IOException {
        Path file = folder.resolve("line.svg");
        assertThat(run(SMALL, "--svg", file.toString()).code()).isZero();
        assertThat(Files.readString(file))
                .contains("CP1", "CQ2", "m2", "polyline")
                .endsWith("</svg>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"processes\": []}",
                "{\"processes\": {}}",
                "{\"processes\": {\"P\": \"send m\"}}",
                "{\"processes\": {\"P\": [7]}}",
                "{\"processes\": {\"P\": [\"sned m\"]}}",
                "{\"processes\": {\"P\": [\"send m\"]}",
                "{\"processes\": {\"P\": [\"send m\"}}",
                "{\"processes\": {\"P\": [], \"P\": []}}",
                "{\"processes\": {\"P\": [\"receive m\"]}}",
                "{\"processes\": {\"P\": [\"receive a\", \"send b\"], \"Q\": [\"receive b\", \"send a\"]}}",
                "{\"processes\": {\"P\": []}} {}",
            })
    void whatCannotBeIsOneLineAndExitCodeTwo(String trace) throws IOException {
        Cli result = run(trace);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .startsWith("cairn: ")
                .doesNotContain("REDACTED");
    }

    @Test
    void unknownNamesSayWhatThereIs() throws IOException {
        assertThat(run(SMALL, "--failed", "R").err()).contains("no process 'R'; it has P, Q");
        assertThat(run(SMALL, "--failed", "P@CP9").err()).contains("no checkpoint 'CP9'; it has CP1, CP2");
        assertThat(run(SMALL, "--processes", "P,R").code()).isEqualTo(2);
        assertThat(Cli.run("recovery-line", folder.resolve("absent").toString()).err())
                .contains("cannot read");
    }
}
