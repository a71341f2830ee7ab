package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.disk.Folders;
import dev.cairn.observe.events.RunEvents;
import dev.cairn.s3.Clients;
import dev.cairn.s3.S3BlobStore;
import dev.cairn.s3.S3Location;
import dev.cairn.s3.S3Options;
import dev.cairn.s3.S3Options.Addressing;
import dev.cairn.s3.server.AtomicS3;
import dev.cairn.store.Damage;
import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `s3://bucket/prefix` wherever a run is asked for.
class RemoteRunTest {
    private static final String RUN = "s3://bucket/runs/first";

    @TempDir
    Path folder;

    private AtomicS3 server;

    @BeforeEach
    void start() throws IOException {
        Clients.useMadeUpCredentials();
        server = new AtomicS3("bucket");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Cli cairn(String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--endpoint", server.endpoint().toString(), "--path-style"));
        return Cli.run(all.toArray(String[]::new));
    }

    private Cli train(String run, int steps, String... more) {
        var all = new ArrayList<>(
                List.of("train", "lenet", "--run", run, "--steps", Integer.toString(steps), "--every", "2", "--json"));
        all.addAll(List.of("--batch", "8", "--threads", "1"));
        all.addAll(List.of(more));
        return cairn(all.toArray(String[]::new));
    }

    @Test
    void trainsGoesOnAndEndsInTheBitsOfAFolder() throws IOException {
        assertThat(train(RUN, 4).code()).isZero();
        Cli resumed = train(RUN, 8);
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(resumed.json().path("resumedFromStep").asLong()).isEqualTo(4);
        Cli local = train(folder.resolve("local").toString(), 8);
        assertThat(resumed.weights()).isEqualTo(local.weights());
        assertThat(server.keys("bucket"))
                .allMatch(key -> key.matches("runs/first/(log|segments|lease|events|system|tensorboard)/.*"))
                .hasSizeGreaterThan(4);
        assertThat(server.uploads("bucket")).isZero();
        var steps = new ArrayList<Long>();
        new RunEvents(store()).current(event -> {
            if (event.kind().equals("step")) {
                steps.add(event.step().orElseThrow());
            }
        });
        assertThat(steps).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    private BlobStore store() {
        return S3BlobStore.open(
                S3Location.parse(RUN),
                S3Options.usual().withAddressing(Addressing.PATH).withEndpoint(server.endpoint()));
    }

    @Test
    void everyCommandReadsAndWritesIt() {
        train(RUN, 8, "--keep", "all");
        Cli ls = cairn("ls", RUN, "--json");
        assertThat(ls.json().path("checkpoints")).hasSize(4);
        assertThat(ls.json().path("checkpoints").path(3).path("status").asText())
                .isEqualTo("good");
        assertThat(cairn("verify", RUN).out()).startsWith("ok: 4 checkpoints");
        assertThat(cairn("show", RUN + "@4", "--json").json().path("step").asLong())
                .isEqualTo(4);
        assertThat(cairn("diff", RUN + "@2", RUN + "@4").code()).isZero();
        assertThat(cairn("merge", RUN).code()).isZero();
        Cli prune = cairn("prune", RUN, "--keep", "latest:1", "--json");
        assertThat(prune.code()).as(prune.err()).isZero();
        assertThat(cairn("verify", RUN).code()).isZero();
        Cli fork = train("s3://bucket/runs/second", 10, "--from", RUN + "@8");
        assertThat(fork.code()).as(fork.err()).isZero();
        assertThat(cairn("verify", "s3://bucket/runs/second").code()).isZero();
    }

    @Test
    void aForkOfAnotherModelLeavesNothing() {
        train(RUN, 2);
        Cli refused = cairn("train", "lr", "--run", "s3://bucket/other", "--from", RUN, "--steps", "4");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errorLines())
                .singleElement()
                .asString()
                .contains("--from names a run of lenet, not of lr; fork it with 'train lenet'")
                .doesNotContain("--partial");
        assertThat(server.keys("bucket")).allMatch(key -> key.startsWith("runs/first/"));
    }

    @Test
    void filesGoOutOfItAndIntoIt() throws IOException {
        train(RUN, 4);
        for (String name : List.of("state.safetensors", "state.npz", "state.pt", "state.ckpt")) {
            Path file = folder.resolve(name);
            Cli out = cairn("export", RUN, file.toString(), "--all");
            assertThat(out.code()).as(out.err()).isZero();
            String imported = "s3://bucket/imported/" + name;
            Cli in = cairn("import", file.toString(), imported);
            assertThat(in.code()).as(in.err()).isZero();
            assertThat(in.out()).startsWith(imported + ": step 4, ");
            assertThat(cairn("diff", RUN, imported, "--exit-code").code()).isZero();
            assertThat(cairn("verify", imported).out()).startsWith("ok:");
        }
        Cli on = train("s3://bucket/imported/state.pt", 8);
        assertThat(on.code()).as(on.err()).isZero();
        assertThat(on.weights()).isEqualTo(train(RUN, 8).weights());
    }

    @Test
    void whoLosesTheFolderGoesOnFromTheCopy() throws IOException {
        String run = folder.resolve("run").toString();
        Cli first = train(run, 6, "--copy-to", RUN);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.json().path("copyLagSteps").asLong(-1)).isZero();
        assertThat(Files.readString(folder.resolve("run/progress.jsonl"))).contains("\"copyLagSeconds\":");
        assertThat(cairn("verify", RUN).out()).startsWith("ok:");
        Folders.delete(folder.resolve("run"));
        Cli second = train(run, 10, "--copy-to", RUN);
        assertThat(second.err()).contains("step 6 is complete only in the copy; fetched from there in");
        assertThat(second.json().path("resumedFromStep").asLong()).isEqualTo(6);
        assertThat(second.weights())
                .isEqualTo(train(folder.resolve("alone").toString(), 10).weights());
        // The copy is a run like any other.
        assertThat(train(RUN, 12).json().path("resumedFromStep").asLong()).isEqualTo(10);
    }

    @Test
    void aCopyThatCannotBeMadeIsToldAndTheTrainingGoesOn() {
        String run = folder.resolve("run").toString();
        // What a run without checkpoints had may be in its copy.
        expect(
                train(run, 4, "--copy-to", "s3://nowhere/x"),
                1,
                "no bucket 'nowhere'; create it, or correct its name; or");
        train(run, 4);
        Cli trained = train(run, 6, "--copy-to", "s3://nowhere/x");
        assertThat(trained.code()).as(trained.err()).isEqualTo(1);
        assertThat(trained.json().path("copyReachable").asBoolean(true)).isFalse();
        assertThat(trained.json().path("copyLagSteps").isNull()).isTrue();
        assertThat(trained.json().path("step").asLong()).isEqualTo(6);
        assertThat(trained.errorLines())
                .filteredOn(line -> line.contains("no bucket 'nowhere'"))
                .singleElement()
                .asString()
                .contains("the copy is not reachable: ", "training continues, and Cairn tries again");
        assertThat(trained.errorLines())
                .last()
                .asString()
                .contains("the run is saved, but its copy in s3://nowhere/x is not reachable; see above, then start");
        expect(train(run, 6, "--copy-to", run), 2, "--run and --copy-to are the same place");
    }

    @Test
    void damageIsFoundAndTold() {
        train(RUN, 4);
        String segment = server.keys("bucket").stream()
                .filter(key -> key.endsWith(".seg"))
                .toList()
                .getLast();
        server.put("bucket", segment, Damage.inTheMiddle(server.content("bucket", segment)));
        Cli verify = cairn("verify", RUN);
        assertThat(verify.code()).isEqualTo(3);
        assertThat(verify.out()).contains("damaged: " + segment.substring("runs/first/".length()));
        Cli repair = cairn("repair", RUN);
        assertThat(repair.code()).as(repair.out() + repair.err()).isZero();
        assertThat(server.keys("bucket")).anyMatch(key -> key.startsWith("runs/first/quarantine/"));
        assertThat(cairn("verify", RUN).code()).isZero();
    }

    @Test
    void whatIsWrongIsOneLineWithItsExitCode() throws IOException {
        expect(
                cairn("ls", RUN),
                2,
                "no run at s3://bucket/runs/first: nothing is stored there; give the same location");
        expect(cairn("ls", "s3://bucket"), 2, "name each run in object storage by its prefix");
        expect(cairn("ls", "s3://bucket", RUN), 2, "name each run in object storage by its prefix");
        expect(cairn("ls", "s3://b/x"), 2, "'s3://b/x' is not of the form s3://bucket/prefix");
        expect(Cli.run("ls", RUN, "--endpoint", "localhost:9000"), 2, "is not of the form https://host:port");
        expect(
                Cli.run("ls", RUN, "--endpoint", "127.0.0.1:9000"),
                2,
                "'127.0.0.1:9000' is not of the form https://host:port");
        for (List<String> command : List.of(
                List.of("ls", "s3://nowhere/x"),
                List.of("verify", "s3://nowhere/x"),
                List.of("prune", "s3://nowhere/x"))) {
            expect(
                    cairn(command.toArray(String[]::new)),
                    1,
                    "storage unavailable: s3://nowhere/x at http://localhost:");
        }
        Cli wrongBucket = train("s3://nowhere/x", 4);
        expect(wrongBucket, 1, "no bucket 'nowhere'; create it, or correct its name");
        assertThat(wrongBucket.out()).isEmpty();
        server.close();
        expect(cairn("ls", RUN), 1, "connection refused; check the network and --endpoint; try again later");
        try (var entries = Files.list(folder)) {
            assertThat(entries).isEmpty();
        }
    }

    private static void expect(Cli cli, int code, String part) {
        assertThat(cli.code()).as(cli.err()).isEqualTo(code);
        assertThat(cli.errorLines()).singleElement().asString().contains(part);
    }
}
