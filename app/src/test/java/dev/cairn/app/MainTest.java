package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {
    private static final String JAVA_NAME = "[a-z]+[.][a-z]+[.][A-Z]|Exception|class |interface ";

    @TempDir
    Path folder;

    @Test
    void helpNamesEveryCommandAndExitCode() {
        Cli help = Cli.run("--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("demo", "train", "ls", "verify", "merge", "prune", "Exit codes");
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "train", "ls", "show", "diff", "eval", "verify", "repair", "merge", "prune"})
    void everyCommandDocumentsItself(String command) {
        Cli help = Cli.run(command, "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: cairn " + command, "--json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fly",
                "--unknown",
                "train",
                "train lenet",
                "train lenet --run",
                "train lenet --run RUN --unknown",
                "train resnet --run RUN",
                "train lenet --run RUN --every soon",
                "train lenet --run RUN --every 0",
                "train lenet --run RUN --write-limit fast",
                "train lenet --run RUN --write-limit 0",
                "train lenet --run RUN --scrub sometimes",
                "train lenet --run RUN --scrub 0s",
                "train lenet --run RUN --scrub 1d,",
                "train lenet --run RUN --scrub 1d,fast",
                "train lenet --run RUN --steps x",
                "train lenet --run RUN --steps 0",
                "train lenet --run RUN --batch 0",
                "train lenet --run RUN --threads 0",
                "train lenet --run RUN --rate -1",
                "train lenet --run RUN --rate nan",
                "train lenet --run RUN --optimizer lbfgs",
                "train lenet --run RUN --data cats",
                "train lenet --run RUN --codec zip",
                "train lenet --run RUN --codec lc:9",
                "train lenet --run RUN --codec uq:-1",
                "train lenet --run RUN --codec rel:0",
                "train lenet --run RUN --codec rel:",
                "train lenet --run RUN --codec lc:auto:",
                "train lenet --run RUN --codec lc:auto:9",
                "train lenet --run RUN --engine jax",
                "train gpt --run RUN",
                "train mf --run RUN --until-accuracy 0.9",
                "train lr --run RUN --until-rmse 0.9",
                "train lr --run RUN --rank 4",
                "train mf --run RUN --activation tanh",
                "plan --work 1h --overhead 1m --nodes 4",
                "plan --work 1h --overhead 1m --mtbf 1h --nodes 4",
                "plan --work 1h --overhead 1m --mtbf 1h --failures 2",
                "plan --work 1h --overhead 1m --budget 0",
                "plan --work 5h --every 1h --overhead 1m --fail-after 2h",
                "simulate --nodes 1000000000",
                "simulate --nodes 0",
                "simulate --node-mtbf 1s",
                "simulate --runs 100000000",
                "simulate --step 60d",
                "simulate --correlated 2",
                "simulate --every 0s",
                "simulate --policies young,foo",
                "simulate --policies young,,auto",
                "ls s3://bucket/run --endpoint http://127.0.0.1:99999",
                "train lenet --run RUN --data jester",
                "train mf --run RUN --data mnist",
                "train mf --run RUN --rank 0",
                "train lenet --run RUN --activation gelu",
                "train lenet --run RUN --schedule sometimes",
                "train lenet --run RUN --weight-decay -1",
                "train lenet --run RUN --clip nan",
                "train lenet --run RUN --eval-every 0",
                "train lenet --run RUN --until-accuracy 98",
                "train lenet --run RUN --until-loss 0",
                "train lenet --run RUN --on-divergence pray",
                "train lenet --run RUN --on-divergence rollback:0",
                "train lenet --run RUN --keep",
                "train lenet --run RUN --keep everything",
                "train lenet --run RUN --keep latest:0",
                "train lenet --run RUN --keep latest:5,",
                "train lenet --run RUN --keep newer:7",
                "ls",
                "ls RUN",
                "ls s3:bucket",
                "ls s3:/bucket/run",
                "ls s4://bucket/run",
                "ls file:run",
                "train lr --run s4://bucket/run",
                "train lr --run RUN --copy-to s3:bucket",
                "train lr --run RUN --copy-to s4://bucket",
                "train lr --run RUN --from s3:bucket@7",
                "import pom.xml s3:bucket --format pt",
                "show",
                "diff",
                "diff RUN",
                "diff RUN RUN",
                "show RUN",
                "show RUN@7",
                "verify RUN",
                "repair RUN",
                "merge RUN",
                "prune RUN",
                "completion",
                "demo --steps 3",
            })
    void wrongUsageIsOneLineAndExitCodeTwo(String arguments) {
        String run = folder.resolve("absent").toString();
        Cli result = Cli.run(
                arguments.isEmpty()
                        ? new String[0]
                        : arguments.replace("RUN", run).split(" "));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).hasSize(1).first().asString().startsWith("cairn: ");
        assertThat(result.err()).doesNotContainPattern(JAVA_NAME);
    }

    @Test
    void noOptionShowsAJavaClass() {
        Main.commandLine().getSubcommands().forEach((command, parser) -> {
            for (OptionSpec option : parser.getCommandSpec().options()) {
                if (option.arity().min() == 0 || option.type() == Path.class || option.type() == String.class) {
                    continue;
                }
                Cli result = Cli.run(command, option.longestName(), "?!");
                assertThat(result.code()).as(command + option).isEqualTo(2);
                assertThat(result.err()).hasLineCount(1).doesNotContainPattern(JAVA_NAME);
            }
        });
    }

    @Test
    void aLocationThatIsNoneSaysWhatWouldDo() {
        assertThat(Cli.run("ls", "s4://bucket/run").err())
                .contains("unknown scheme 's4' (did you mean 's3'?); known: file, s3");
        assertThat(Cli.run("ls", "s3:bucket").err())
                .contains("'s3:bucket' is not of the form s3://…; for a folder of that name write './s3:bucket'");
        assertThat(Cli.run("train", "lr", "--run", "").err()).contains("'--run'", "the location is empty");
        assertThat(Cli.run("ls", "").err()).contains("the location is empty");
    }

    @Test
    void aFolderMayHaveAColonInItsName() throws IOException {
        Path run = SmallRun.train(folder.resolve("lr:1"), "lossless", 1, 1).folder();
        assertThat(Cli.run("ls", run.toString()).code()).isZero();
        assertThat(Cli.run("ls", run.toUri().toString()).code()).isZero();
    }

    @Test
    void keepSaysWhatWouldDo() {
        String run = folder.resolve("absent").toString();
        assertThat(Cli.run("train", "lenet", "--run", run, "--keep", "latest").err())
                .contains("--keep", "'latest' needs a whole number from 1")
                .doesNotContain("Exception");
        assertThat(folder.resolve("absent")).doesNotExist();
        assertThat(Cli.run("train", "--help").out()).contains("--keep", "latest:5,every:1h,best:1");
    }

    @Test
    void suggestsWhatWasMeant() {
        assertThat(Cli.run("trian").err()).contains("unknown command 'trian' (did you mean 'train'?)");
        assertThat(Cli.run("ls", "one", "--jsn").err()).contains("unknown option '--jsn' (did you mean '--json'?)");
        assertThat(Cli.run("train", "lr", "--rum", "x").err())
                .as("also where it is the one that is missing")
                .contains("unknown option '--rum' (did you mean '--run'?); see")
                .hasLineCount(1);
        assertThat(Cli.run("train", "lr", "x").err()).contains("missing required option: '--run=DIR'");
        assertThat(Cli.run("foo").err()).contains("unknown command 'foo'; known: demo, train, ls,");
        assertThat(Cli.run("verify", "one", "two").err()).contains("unexpected argument 'two'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                train lenet --run RUN --data mnits       | unknown data set 'mnits' (did you mean 'mnist'?); known: digits,
                train lenet --run RUN --engine trch      | unknown engine 'trch' (did you mean 'torch'?); known: torch,
                train lenet --run RUN --optimizer adma   | unknown optimizer 'adma' (did you mean 'adam'?); known: sgd,
                train lnet --run RUN                     | unknown workload 'lnet' (did you mean 'lenet'?); known: lr,
                train lenet --run RUN --codec losless    | unknown codec 'losless' (did you mean 'lossless'?); known: lossless,
                train lenet --run RUN --codec zip        | unknown codec 'zip'; known: lossless,
                bench trian                              | unknown benchmark 'trian' (did you mean 'train'?); known: codec,
                export RUN model.x --format npy          | unknown format 'npy' (did you mean 'npz'?); known: safetensors, npz, pt, bundle
                completion tcsh                          | unknown shell 'tcsh'; known: bash, zsh, fish
                """)
    void suggestsWhatAWordWasMeantToBe(String command, String message) {
        Cli result =
                Cli.run(command.replace("RUN", folder.resolve("run").toString()).split(" +"));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errorLines()).singleElement().asString().contains(message);
    }

    @Test
    void helpForAnUnknownCommandNamesTheKnownOnes() {
        Cli result = Cli.run("help", "trian");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("cairn: unknown command 'trian' (did you mean 'train'?); known: demo, ")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "show", "verify", "repair", "merge", "prune"})
    void errorsStayOneLineOnStandardErrorForScriptsToo(String command) {
        Cli result = Cli.run(command, folder.resolve("absent").toString(), "--json");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).singleElement().asString().startsWith("cairn: no run at ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "demo",
                "train",
                "ls",
                "show",
                "diff",
                "verify",
                "repair",
                "merge",
                "prune",
                "bench",
                "completion"
            })
    void helpFitsEightyColumns(String command) {
        String help = command.isEmpty()
                ? Cli.run("--help").out()
                : Cli.run(command, "--help").out();
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void helpBreaksNoNameThatIsToBeTyped() {
        assertThat(Cli.run("train", "--help").out())
                .contains("best:N@METRIC", "lc:auto:E", "rel:E", "latest:5,every:1h,best:1", "docs/NOTICES.md");
        assertThat(Cli.run("prune", "--help").out()).contains("latest:5,every:1h,best:1");
    }

    @Test
    void aFolderThatIsNoRunIsRefused() throws Exception {
        Files.createDirectory(folder.resolve("photos"));
        Cli result = Cli.run("verify", folder.resolve("photos").toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("no run at");
    }

    @Test
    void aFileInPlaceOfTheRunIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        Cli result = Cli.run("train", "lenet", "--run", file.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(Files.readString(file)).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "train", "ls", "show", "diff", "eval", "verify", "repair", "merge", "prune", "export", "import",
            })
    void helpSaysThatARunMayBeInObjectStorage(String command) {
        assertThat(Cli.run(command, "--help").out()).contains("s3://bucket/prefix");
    }
}
