package dev.cairn.app;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.store.Damage;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// `cairn export` and `cairn import`, on a run with checkpoints of steps 10 and 20.
class TransferCommandTest {
    @TempDir
    static Path trained;

    @TempDir
    Path folder;

    @BeforeAll
    static void train() {
        for (String steps : List.of("10", "20")) {
            Cli cli = Cli.run(
                    "train",
                    "lenet",
                    "--run",
                    run(),
                    "--steps",
                    steps,
                    "--every",
                    "10",
                    "--optimizer",
                    "adam",
                    "--json");
            assertThat(cli.code()).as(cli.err()).isZero();
        }
    }

    private static String run() {
        return trained.resolve("run").toString();
    }

    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void exportsThatWereImportedAreTheSameFilesAgain(TensorFormat format) throws IOException {
        for (String scope : List.of("model", "all")) {
            String[] options = scope.equals("all") ? new String[] {"--all"} : new String[0];
            String ending = format.endings().getFirst();
            Path first = export(run(), scope + "1" + ending, options);
            String imported = importRun(first, scope + "-run");
            Path second = export(imported, scope + "2" + ending, options);
            for (int i = 0; i < format.files(first).size(); i++) {
                assertThat(format.files(second).get(i))
                        .hasSameBinaryContentAs(format.files(first).get(i));
            }
            assertThat(verifies(Path.of(imported))).isTrue();
            for (TensorFormat other : scope.equals("all") ? TensorFormat.values() : new TensorFormat[0]) {
                Path elsewhere =
                        export(imported, scope + "-" + other.label() + ".x", join(options, "--format", other.label()));
                String back = importRun(elsewhere, scope + "-" + other.label() + "-run", "--format", other.label());
                Path third = export(back, scope + "-from-" + other.label() + ending, options);
                try (TensorFile there = format.open(first);
                        TensorFile again = format.open(third)) {
                    assertThat(again.tensors()).isEqualTo(there.tensors());
                }
                if (format == other || format != TensorFormat.SAFETENSORS) {
                    assertThat(digest(Path.of(back))).isEqualTo(digest(Path.of(imported)));
                }
            }
        }
    }

    @Test
    void aWholeStateThatWentThroughAFileTrainsOnAsIfNothingHadHappened() throws IOException {
        String imported = importRun(export(run(), "state.pt", "--all"), "imported");
        Cli gone = Cli.run("train", "lenet", "--run", path("on"), "--from", imported, "--steps", "30", "--json");
        assertThat(gone.code()).as(gone.err()).isZero();
        assertThat(gone.err()).doesNotContain("in part");
        Cli fork = Cli.run("train", "lenet", "--run", path("fork"), "--from", run(), "--steps", "30", "--json");
        assertThat(gone.weights()).isEqualTo(fork.weights());
        assertThat(gone.json().path("resumedFromStep").asLong()).isEqualTo(20);
    }

    @Test
    void weightsAloneBeginATraining() throws IOException {
        String imported = importRun(export(run() + "@10", "weights.npz"), "imported");
        Cli fork = Cli.run("train", "lenet", "--run", path("fork"), "--from", imported, "--steps", "5", "--json");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(fork.err()).contains("10 tensors fit", "missing in the checkpoint: momentum.m/");
        // The run itself, too; then the same command goes on with it.
        for (String steps : List.of("5", "8")) {
            Cli own = Cli.run("train", "lenet", "--run", imported, "--steps", steps, "--json");
            assertThat(own.code()).as(own.err()).isZero();
        }
    }

    /// `{'model': …, 'optimizer': …}`, as most programs of PyTorch save it.
    private Path nested(String name, Optional<TorchState.Optimizer> optimizer) throws IOException {
        Path file = folder.resolve(name);
        try (TensorFile weights = TensorFormat.PT.open(export(run() + "@10", "flat-" + name))) {
            Set<String> names =
                    weights.tensors().stream().map(NamedTensor::name).collect(Collectors.toSet());
            var moment = new NamedTensor("moment", ElementType.FLOAT32, List.of(4L));
            List<NamedTensor> all =
                    Stream.concat(weights.tensors().stream(), Stream.of(moment)).toList();
            try (TensorFileWriter writer =
                    TensorFormat.PT.create(file, all, new TreeMap<>(), new TorchState(names, optimizer))) {
                for (NamedTensor tensor : all) {
                    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) tensor.sizeBytes()]);
                    if (!tensor.equals(moment)) {
                        weights.read(tensor, 0, bytes);
                    }
                    writer.write(bytes);
                }
                writer.finish();
            }
        }
        return file;
    }

    private static Optional<TorchState.Optimizer> optimizer() {
        var held = new LinkedHashMap<>(Map.of("momentum_buffer", "moment"));
        return Optional.of(new TorchState.Optimizer(
                new LinkedHashMap<>(Map.of("lr", 0.5)),
                List.of(new TorchState.Parameter(new LinkedHashMap<>(), held))));
    }

    @Test
    void theModelOfANestedFileIsTakenAndTrainsOn() throws IOException {
        Path file = nested("nested.pt", optimizer());
        Cli imported = Cli.run("import", file.toString(), path("imported"));
        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.errorLines())
                .anyMatch(line ->
                        line.contains("imported 'model' of model, optimizer; --select PATH imports another part"))
                .anyMatch(line -> line.contains("not imported: 1 tensors outside of model"));
        Cli fork = Cli.run("train", "lenet", "--run", path("on"), "--from", path("imported"), "--steps", "5");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(Cli.run("import", file.toString(), path("chosen"), "--select", "model", "--json")
                        .json()
                        .path("selected")
                        .asText())
                .isEqualTo("model");
        assertThat(digest(folder.resolve("chosen"))).isEqualTo(digest(folder.resolve("imported")));
    }

    @Test
    void whereItIsNotClearWhatIsMeantAllIsTakenAndTheCureIsTold() throws IOException {
        Path file = nested("nested.pt", Optional.empty()); // 'model' and 'other'
        Cli imported = Cli.run("import", file.toString(), path("imported"));
        assertThat(imported.errorLines())
                .singleElement()
                .asString()
                .contains(
                        "imported all of model, other; to train with one of them, import only that one with --select PATH");
        Cli refused = Cli.run("train", "lenet", "--run", path("on"), "--from", path("imported"), "--steps", "5");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errorLines().getLast()).contains("names have the prefix 'model.'", "--select model");
        importRun(file, "selected", "--select", "model");
        Cli fork = Cli.run("train", "lenet", "--run", path("on"), "--from", path("selected"), "--steps", "5");
        assertThat(fork.code()).as(fork.err()).isZero();
        Cli none = Cli.run("import", file.toString(), path("none"), "--select", "modell");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err().lines())
                .singleElement()
                .asString()
                .contains("'modell.'; the names begin with model, other");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void aFileInThePlaceOfARunIsToBeImportedFirst() throws IOException {
        Path file = file("a.safetensors", "w", List.of(3L));
        Cli refused = Cli.run("train", "lenet", "--run", path("on"), "--from", file.toString(), "--steps", "5");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains("'cairn import %s DIR'".formatted(file));
    }

    @Test
    void aWholeStateHasItsOptimizerAsPyTorchSavesIt() throws IOException {
        try (TensorFile file = TensorFormat.PT.open(export(run(), "state.pt", "--all"))) {
            assertThat(file.tensors())
                    .contains(
                            new NamedTensor("model.conv1.weight", ElementType.FLOAT32, List.of(6L, 1L, 5L, 5L)),
                            new NamedTensor("optimizer.state.0.exp_avg", ElementType.FLOAT32, List.of(6L, 1L, 5L, 5L)),
                            new NamedTensor("optimizer.state.9.exp_avg_sq", ElementType.FLOAT32, List.of(10L)));
            assertThat(file.parts().get(1)).isEqualTo(new TensorFile.Part("optimizer", true));
            assertThat(file.metadata())
                    .containsEntry("optimizer.state.0.step", "20")
                    .containsEntry("optimizer.param_groups.0.lr", "0.001")
                    .containsEntry("optimizer.param_groups.0.eps", "1.0E-8")
                    .containsEntry("optimizer.param_groups.0.amsgrad", "false");
        }
        Cli back = Cli.run("import", path("state.pt"), path("back"));
        assertThat(back.errorLines()).isEmpty();
        assertThat(digest(folder.resolve("back")))
                .isEqualTo(SmallRun.checkpoints(Path.of(run())).getLast().digest());
    }

    @Test
    void foreignWeightsThatDoNotFitTheModelAreRefused() throws IOException {
        String imported = importRun(file("other.safetensors", "conv1.weight", List.of(2L, 2L)), "imported");
        Cli refused = Cli.run("train", "lenet", "--run", path("fork"), "--from", imported, "--steps", "5");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errorLines().getLast())
                .contains("checkpoint and model differ", "conv1.weight float32[2, 2]");
    }

    @Test
    void metadataAndStepAreKept() throws IOException {
        Path file = file("a.safetensors", "w", List.of(3L));
        String imported = importRun(file, "imported", "--step", "7");
        Commit checkpoint = SmallRun.checkpoints(Path.of(imported)).getFirst();
        assertThat(checkpoint.step()).isEqualTo(7);
        assertThat(checkpoint.attributes().asMap())
                .containsAllEntriesOf(Map.of("metadata.who", "me", "cairn.importedFrom", "a.safetensors"));
        assertThat(export(imported, "b.safetensors")).hasSameBinaryContentAs(file);
    }

    @Test
    void jsonTellsWhatWasDone() throws IOException {
        Cli exported = Cli.run("export", run() + "@best", path("w.pt"), "--json");
        assertThat(exported.json().path("tensors").asInt()).isEqualTo(10);
        assertThat(exported.json().path("bytes").asLong()).isEqualTo(Files.size(folder.resolve("w.pt")));
        Cli imported = Cli.run("import", path("w.pt"), path("r"), "--json");
        assertThat(imported.json().path("fullBytes").asLong()).isEqualTo(61_706 * 4);
        assertThat(imported.json().path("leftOut")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            export RUN DIR/w.onnx                  | does not show the format; use the extension .safetensors, .npz, .pt
            export RUN DIR/there.pt                | already exists
            import DIR/there DIR/r                 | no such file
            export RUN DIR                         | is a folder; give a file
            export RUN DIR/a/b.pt                  | no folder
            export RUN@15 DIR/w.pt                 | has no checkpoint of step 15; its steps are 10, 20
            export RUN@worst DIR/w.pt              | 'worst' is neither a step nor 'best'
            export DIR/absent DIR/w.pt             | no run at
            import DIR/absent.pt DIR/r             | no such file
            import DIR/there.pt RUN                | already has checkpoints
            import DIR/there.pt DIR                | exists and is not a run; choose another folder
            import DIR/there.pt DIR/r --step -1    | --step must be 0 or more
            """)
    void whatMakesNoSenseIsOneLineAndMakesNothing(String command, String message) throws IOException {
        Files.writeString(folder.resolve("there.pt"), "something");
        Cli refused = Cli.run(
                command.replace("RUN", run()).replace("DIR", folder.toString()).split(" "));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains(message);
        assertThat(files()).containsExactly("there.pt");
    }

    @Test
    void aFileThatIsNoneIsDamageAndLeavesNothing() throws IOException {
        for (TensorFormat format : TensorFormat.values()) {
            Path file = format.files(folder.resolve("x")).getLast();
            Files.writeString(file, "no tensors in here");
            Cli refused = Cli.run("import", file.toString(), path("r"), "--format", format.label());
            assertThat(refused.code()).isEqualTo(3);
            assertThat(refused.err().lines()).singleElement().asString().contains("the file is damaged");
            assertThat(files()).containsExactly(file.getFileName().toString());
            Files.delete(file);
        }
    }

    /// Its directory is right, a byte of its data is not: that is found when most of it is stored already.
    @Test
    void damageInTheMiddleLeavesNoRun() throws IOException {
        Path file = export(run(), "w.pt");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Cli refused = Cli.run("import", file.toString(), path("r"));
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).contains("crc32");
        assertThat(files()).containsExactly("w.pt");
    }

    @Test
    void aBundleIsTwoFilesThatAnyOfTheirNamesFinds() throws IOException {
        Path prefix = export(run(), "model.ckpt-20", "--format", "bundle");
        assertThat(files()).containsExactly("model.ckpt-20.data-00000-of-00001", "model.ckpt-20.index");
        importRun(prefix, "a");
        importRun(folder.resolve("model.ckpt-20.index"), "b");
        importRun(folder.resolve("model.ckpt-20.data-00000-of-00001"), "c", "--format", "bundle");
        assertThat(digest(folder.resolve("b"))).isEqualTo(digest(folder.resolve("a")));
        assertThat(digest(folder.resolve("c"))).isEqualTo(digest(folder.resolve("a")));

        Cli refused = Cli.run("export", run() + "@10", prefix + ".index");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("model.ckpt-20.data-00000-of-00001 already exists");
        export(run() + "@10", "model.ckpt-20.index", "--force");
        importRun(prefix, "d");
        assertThat(digest(folder.resolve("d"))).isNotEqualTo(digest(folder.resolve("a")));
    }

    @Test
    void theIndexOfABundleGoesFirstAndComesLast() throws Exception {
        export(run(), "w.ckpt");
        var events = new ArrayList<String>();
        try (WatchService watch = folder.getFileSystem().newWatchService()) {
            WatchKey key = folder.register(watch, ENTRY_CREATE, ENTRY_DELETE);
            export(run() + "@10", "w.ckpt", "--force");
            while (!events.contains("ENTRY_CREATE w.ckpt.index")) {
                assertThat(watch.poll(120, TimeUnit.SECONDS))
                        .as("after " + events)
                        .isNotNull();
                for (WatchEvent<?> event : key.pollEvents()) {
                    events.add(event.kind().name() + " " + event.context());
                }
                key.reset();
            }
        }
        assertThat(events.stream().filter(event -> !event.contains(" .")))
                .containsExactly(
                        "ENTRY_DELETE w.ckpt.index",
                        "ENTRY_CREATE w.ckpt.data-00000-of-00001",
                        "ENTRY_CREATE w.ckpt.index");
    }

    @Test
    void aBundleThatLacksItsDataIsNamedAndAFileOfPyTorchIsNone() throws IOException {
        Path prefix = export(run(), "w.ckpt");
        Files.delete(folder.resolve("w.ckpt.data-00000-of-00001"));
        Cli refused = Cli.run("import", prefix.toString(), path("r"));
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).contains("its data file w.ckpt.data-00000-of-00001 is missing");
        Path other = export(run(), "lightning.ckpt", "--format", "pt");
        Cli wrong = Cli.run("import", other.toString(), path("r"));
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err()).contains("lightning.ckpt.index", "--format pt");
        importRun(other, "r", "--format", "pt");
    }

    @Test
    void aLinkThatCannotBeWrittenIsNamedForWhatItIs() throws IOException {
        Path dead = Files.createSymbolicLink(folder.resolve("dead.npz"), Path.of("gone.npz"));
        Cli refused = Cli.run("export", run(), dead.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains(dead + " is a link to gone.npz, which does not exist; choose another name, or --force");
        Path toFolder = Files.createSymbolicLink(folder.resolve("folder.npz"), folder);
        Cli other = Cli.run("export", run(), toFolder.toString(), "--force");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err().lines())
                .singleElement()
                .asString()
                .contains(toFolder + " is a link to a folder; give a file");
        assertThat(files()).containsExactlyInAnyOrder("dead.npz", "folder.npz");
    }

    @Test
    void aPipeOrDeviceIsNeverReplaced() throws IOException {
        Path pipe = folder.resolve("pipe.pt");
        assumeTrue(
                Command.of("mkfifo", pipe.toString()).succeeds(),
                "mkfifo is not installed: nothing is exported to a pipe");
        Path link = Files.createSymbolicLink(folder.resolve("link.pt"), pipe);
        Path data = Files.createSymbolicLink(folder.resolve("w.ckpt.data-00000-of-00001"), pipe);
        for (Path target : List.of(pipe, link, folder.resolve("w.ckpt"))) {
            for (String[] options : List.of(new String[0], new String[] {"--force"})) {
                Cli refused = Cli.run(join(new String[] {"export", run(), target.toString()}, options));
                assertThat(refused.code()).isEqualTo(2);
                assertThat(refused.err().lines())
                        .singleElement()
                        .asString()
                        .contains("device, pipe or socket and is not replaced; give another name");
            }
        }
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
        assertThat(link).isSymbolicLink();
        assertThat(data).isSymbolicLink();
        assertThat(files()).hasSize(3);
    }

    @Test
    void anExportThatFailsLeavesTheFileThatWasThere() throws IOException {
        String imported = importRun(file("a.safetensors", "../w", List.of(3L)), "imported");
        Path there = Files.writeString(folder.resolve("there.npz"), "something");
        Cli refused = Cli.run("export", imported, there.toString(), "--force");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("npz: tensor ../w has a name");
        assertThat(there).hasContent("something");
        assertThat(files()).containsExactlyInAnyOrder("a.safetensors", "imported", "there.npz");
        assertThat(export(run(), "there.npz", "--force").toFile().length()).isGreaterThan(200_000);
    }

    @Test
    void aDamagedCheckpointIsPassedOverUnlessItIsTheOneThatIsMeant() throws IOException {
        Path copy = folder.resolve("copy");
        try (Stream<Path> tree = Files.walk(Path.of(run()))) {
            for (Path file : tree.toList()) {
                Files.copy(file, copy.resolve(Path.of(run()).relativize(file)));
            }
        }
        damageNewest(copy);
        Cli exported = Cli.run("export", copy.toString(), path("w.pt"), "--all", "--json");
        assertThat(exported.code()).as(exported.err()).isZero();
        assertThat(exported.json().path("step").asLong()).isEqualTo(10);
        assertThat(exported.errorLines()).singleElement().asString().contains("skipped the checkpoint of step");
        Cli refused = Cli.run("export", copy + "@20", path("w2.pt"), "--all");
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.errorLines()).singleElement().asString().doesNotContain("skipped");
        assertThat(folder.resolve("w2.pt")).doesNotExist();
    }

    @Test
    void aStepThatWasSavedTwiceIsExportedFromTheOneThatIsGood() throws IOException {
        String back = path("back");
        List<String> train = List.of("train", "lenet", "--run", back, "--steps", "4", "--keep", "all", "--rate", "1e6");
        Cli.run(Stream.concat(train.stream(), Stream.of("--on-divergence", "rollback:1"))
                .toArray(String[]::new));
        damageNewest(Path.of(back));
        Cli exported = Cli.run("export", back + "@0", path("w.pt"), "--all", "--json");
        assertThat(exported.code()).as(exported.err()).isZero();
        assertThat(exported.errorLines()).singleElement().asString().contains("skipped the checkpoint of step");
    }

    private static void damageNewest(Path run) throws IOException {
        Path segment = run.resolve(
                SmallRun.checkpoints(run).getLast().segments().getFirst().name());
        Damage.inTheMiddle(segment);
    }

    private Path export(String run, String name, String... options) {
        Path file = folder.resolve(name);
        Cli cli = Cli.run(join(new String[] {"export", run, file.toString()}, options));
        assertThat(cli.code()).as(cli.err()).isZero();
        return file;
    }

    private String importRun(Path file, String name, String... options) {
        String run = path(name);
        Cli cli = Cli.run(join(new String[] {"import", file.toString(), run}, options));
        assertThat(cli.code()).as(cli.err()).isZero();
        return run;
    }

    /// A file of one tensor.
    private Path file(String name, String tensor, List<Long> shape) throws IOException {
        Path file = folder.resolve(name);
        var named = new NamedTensor(tensor, ElementType.FLOAT32, shape);
        var metadata = new TreeMap<>(Map.of("who", "me", "format", "pt"));
        try (TensorFileWriter writer = TensorFormat.SAFETENSORS.create(file, List.of(named), metadata)) {
            writer.write(MemorySegment.ofArray(new byte[(int) named.sizeBytes()]));
            writer.finish();
        }
        return file;
    }

    private static boolean verifies(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        return StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {}).ok();
    }

    private static String digest(Path run) throws IOException {
        return SmallRun.checkpoints(run).getFirst().digest();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] join(String[] some, String... others) {
        return Stream.concat(Stream.of(some), Stream.of(others)).toArray(String[]::new);
    }

    @Test
    void aFolderThatNobodyCanWriteToIsNotToldAsFull() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/proc")), "/proc");
        SmallRun run = SmallRun.train(folder.resolve("small"), "lossless", 1, 1);
        Cli refused = Cli.run("export", run.toString(), "/proc/weights.npz");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains("/proc/.weights.npz.", "; choose")
                .doesNotContain("not enough space");
    }
}
