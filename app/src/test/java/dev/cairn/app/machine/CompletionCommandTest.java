package dev.cairn.app.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.app.Cli;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCommandTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "'cairn ', verify",
        "'cairn ve', verify",
        "'cairn sh', show",
        "'cairn repair --d', --dry-run",
        "'cairn diff --ex', --exit-code",
        "'cairn ev', eval",
        "'cairn eval --data', --data-dir",
        "'cairn completion ', fish",
        "'cairn train ', lr lenet alexnet mf",
        "'cairn train le', lenet",
        "'cairn train lenet --engine ', torch tensorflow",
        "'cairn train lenet --data fash', fashion-mnist",
        "'cairn train lenet --optimizer a', adam",
        "'cairn train lenet --activation ', relu tanh",
        "'cairn export --format ', safetensors npz pt bundle",
        "'cairn import --format n', npz"
    })
    void bashCompletes(String line, String expected) throws Exception {
        Path script = script("bash");
        List<String> words = List.of(line.split(" ", -1));
        String bash =
                "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE=%s; _complete_cairn; echo \"${COMPREPLY[@]}\""
                        .formatted(script, quoted(words), words.size() - 1, quoted(List.of(line)));
        assertThat(run("bash", "-c", bash)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cairn show ", "cairn verify ", "cairn train lr --run ", "cairn train lr --from "})
    void bashCompletesRunsAsPaths(String line) throws Exception {
        bashCompletes(line + folder + "/cai", folder + "/cairn.bash");
    }

    @Test
    void bashKnowsTheCommand() throws Exception {
        assertThat(run("bash", "-c", "source %s; complete -p cairn".formatted(script("bash"))))
                .contains("_complete_cairn");
    }

    @Test
    void zshReadsTheScript() throws Exception {
        assumeTrue(isInstalled("zsh"), "zsh is not installed");
        assertThat(run("zsh", "-f", "-c", "source %s; echo ${_comps[cairn]}".formatted(script("zsh"))))
                .contains("_complete_cairn");
    }

    @Test
    void fishCompletes() throws Exception {
        assumeTrue(isInstalled("fish"), "fish is not installed");
        String fish = "source %s; complete -C 'cairn ve'; complete -C 'cairn repair --d'".formatted(script("fish"));
        assertThat(run("fish", "--no-config", "-c", fish)).contains("verify", "--dry-run");
    }

    @Test
    void fishIsToldOfEveryCommandAndOption() {
        String script = Cli.run("completion", "fish").out();
        assertThat(script)
                .contains(
                        "seen_subcommand_from train' -f -a 'lr lenet alexnet mf'",
                        "-l format -r -f -a 'safetensors npz pt bundle'",
                        " -a verify -d ",
                        "-l dry-run",
                        "-l exit-code",
                        "seen_subcommand_from completion' -f -a 'bash")
                .doesNotContain("lease-time");
        assertThat(script.lines()).allMatch(line -> line.startsWith("complete -c cairn ") || line.startsWith("#"));
    }

    @Test
    void anUnknownShellIsWrongUsage() {
        Cli result = Cli.run("completion", "tcsh");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("bash, zsh, fish");
    }

    private Path script(String shell) throws IOException {
        Cli result = Cli.run("completion", shell);
        assertThat(result.code()).isZero();
        return Files.writeString(folder.resolve("cairn." + shell), result.out());
    }

    private static String quoted(List<String> words) {
        return String.join(" ", words.stream().map(word -> "'" + word + "'").toList());
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static String run(String... command) throws IOException {
        return Command.of(command).withErrorsInOutput().succeed();
    }
}
