package dev.cairn.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.Crc32c;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run whose only record somebody rewrote, with a right checksum, as the commands meet it: one clear line, exit code
/// 3, nothing removed.
class HostileRunTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "path upwards, `\"segments/[^\"]*\"`, `\"../../../etc/passwd\"`",
                "absolute path, `\"segments/[^\"]*\"`, `\"/etc/passwd\"`",
                "the lock, `\"segments/[^\"]*\"`, `\"writer.lock\"`",
                "absurd size, `\"bytes\":[0-9]+`, `\"bytes\":9223372036854775807`",
                "absurd place, `\"firstBlock\":[0-9]+`, `\"firstBlock\":9223372036854775807`",
                "absurd segment, `\"segment\":[0-9]+`, `\"segment\":2147483647`",
                "its own parent, `\"id\":\"([0-9a-f]{16})\"`, `\"id\":\"$1\",\"parent\":{\"number\":1,\"id\":\"$1\"}`",
            })
    void isOneClearLineAndExitCodeThree(String what, String pattern, String replacement) throws IOException {
        Path run = folder.resolve("run");
        assertThat(train(run).code()).isZero();
        Path record = run.resolve("log/0000000001.rec");
        String before = rewrite(record, what, pattern, replacement);

        Cli verify = Cli.run("verify", run.toString());
        assertThat(verify.code()).isEqualTo(3);
        assertThat(verify.out().lines().filter(line -> line.startsWith("damaged: ")))
                .hasSize(1);

        Cli train = train(run);
        assertThat(train.code()).isEqualTo(3);
        assertThat(train.errorLines()).last().asString().contains("--fresh");

        Cli list = Cli.run("ls", run.toString(), "--json");
        assertThat(list.json().path("checkpoints").path(0).path("status").asText())
                .isEqualTo("damaged");
        assertThat(verify.err() + train.err() + list.err()).doesNotContain("Exception", "\tat ");
        assertThat(record).hasContent(before);
        assertThat(run.resolve("segments")).isNotEmptyDirectory();
    }

    @Test
    void ofANewerFormatIsNotPassedOverAndSaysSo() throws IOException {
        Path run = folder.resolve("run");
        assertThat(train(run).code()).isZero();
        rewrite(run.resolve("log/0000000001.rec"), "newer", "^cairn-record [0-9]+", "cairn-record 99");
        Cli verify = Cli.run("verify", run.toString());
        assertThat(verify.code()).isEqualTo(3);
        assertThat(verify.out())
                .contains("newer format", "use a later version of Cairn")
                .doesNotContain("skips damaged");
        Cli train = train(run);
        assertThat(train.code()).isEqualTo(3);
        assertThat(train.errorLines()).last().asString().contains("newer format");
    }

    private static String rewrite(Path record, String what, String pattern, String replacement) throws IOException {
        String good = Files.readString(record);
        String body = good.substring(0, good.lastIndexOf("crc32c ")).replaceAll(pattern, replacement);
        String rewritten = body + "crc32c " + Crc32c.text(Crc32c.of(body.getBytes(UTF_8))) + "\n";
        assertThat(rewritten).as(what).isNotEqualTo(good);
        Files.writeString(record, rewritten);
        Files.writeString(Path.of(record.toString().replace(".rec", ".twin")), rewritten);
        return rewritten;
    }

    private static Cli train(Path run) {
        return Cli.run("train", "lenet", "--run", run.toString(), "--steps", "1", "--batch", "8");
    }
}
