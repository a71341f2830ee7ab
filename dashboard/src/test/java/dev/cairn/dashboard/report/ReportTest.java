package dev.cairn.dashboard.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.dashboard.RecordedRun;
import dev.cairn.dashboard.run.WatchedRun;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\u2028<!--&\u0000";

    @TempDir
    Path folder;

    @Test
    void saysWhatHappenedAndAsksForNothingFromElsewhere() throws Exception {
        RecordedRun run = RecordedRun.killedAndResumed(folder.resolve("first"));
        String page = report(run);
        JsonNode data = data(page);
        assertThat(data.path("run").path("name").asText()).isEqualTo("first");
        assertThat(data.path("run").path("state").asText()).isEqualTo("done");
        assertThat(data.path("run").path("facts").path("stepsLost").asInt()).isEqualTo(17);
        assertThat(data.path("run").path("lanes").path("failures")).hasSize(1);
        assertThat(data.path("run").path("lanes").path("saves").path("bytes")).hasSize(3);
        assertThat(data.path("checkpoints").path("count").asInt()).isZero();
        assertThat(page)
                .doesNotContain("<link", "src=", "@import", "url(", "XMLHttpRequest", "fetch(", "innerHTML")
                .contains("default-src 'none'");
    }

    @Test
    void itsPolicyNamesItsOwnScriptAndStyleAndNoOther() throws Exception {
        String page = report(RecordedRun.killedAndResumed(folder.resolve("first")));
        assertThat(page).contains(hash(between(page, "<script>", "</script>")));
        assertThat(page).contains(hash(between(page, "<style>", "</style>")));
        assertThat(page).doesNotContain("unsafe");
        assertThat(Pattern.compile("<script").matcher(page).results()).hasSize(2);
        assertThat(Pattern.compile("</script").matcher(page).results()).hasSize(2);
    }

    @Test
    void hostileNamesStayTexts() throws Exception {
        Path named = folder.resolve("<b onload=x>&'\"");
        RecordedRun run = new RecordedRun(named)
                .attempt(1, "w0")
                .line(
                        "started",
                        line -> line.put("step", 0)
                                .put("begin", HOSTILE)
                                .put("steps", 10)
                                .put("measure", HOSTILE)
                                .putObject("settings")
                                .put(HOSTILE, HOSTILE))
                .step(1, Double.NaN)
                .line("saveFailed", line -> line.put("step", 1).put("reason", HOSTILE))
                .line(HOSTILE, line -> line.put(HOSTILE, HOSTILE))
                .write();
        String page = report(run);
        assertThat(page).doesNotContain("<img", "<b onload", "<!--");
        JsonNode data = data(page);
        assertThat(data.path("run").path("settings").path(HOSTILE).asText()).isEqualTo(HOSTILE);
        assertThat(data.path("run").path("name").asText()).isEqualTo("<b onload=x>&'\"");
        assertThat(data.path("run")
                        .path("lanes")
                        .path("loss")
                        .path(0)
                        .path("stretches")
                        .path(0)
                        .path("v")
                        .path(0)
                        .isNull())
                .isTrue();
    }

    @Test
    void figuresOfSeveralHostsStandBesideEachOther() throws Exception {
        RecordedRun run = RecordedRun.killedAndResumed(folder.resolve("first"))
                .figures("agent0", "one", "w0", 5)
                .figures("agent1", "two", "w1", 5);
        JsonNode machines = data(report(run)).path("run").path("lanes").path("machines");
        assertThat(machines).extracting(each -> each.path("host").asText()).containsExactlyInAnyOrder("one", "two");
        for (JsonNode machine : machines) {
            String worker = machine.path("host").asText().equals("one") ? "w0" : "w1";
            assertThat(machine.path("processes")).hasSize(1);
            assertThat(machine.path("processes").path(0).path("process").asText())
                    .isEqualTo(worker);
            assertThat(machine.path("sent").path("v").path(4).asDouble()).isEqualTo(5000);
            assertThat(machine.path("cpu").path("v").path(4).asDouble()).isEqualTo(1.5);
        }
    }

    @Test
    void aRunWithoutEventsHasAReport() throws Exception {
        JsonNode data = data(report(new RecordedRun(folder.resolve("empty"))));
        assertThat(data.path("run").path("state").asText()).isEqualTo("unknown");
    }

    private static String report(RecordedRun run) throws IOException {
        var location = new RunLocation.Folder(run.folder());
        return Report.of(WatchedRun.at(location, new LocalBlobStore(run.folder()), Clock.system()), "1");
    }

    private static JsonNode data(String page) throws IOException {
        return new ObjectMapper().readTree(between(page, "id=\"data\">", "</script>"));
    }

    private static String between(String page, String begin, String end) {
        Matcher found = Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL)
                .matcher(page);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String hash(String content) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }
}
