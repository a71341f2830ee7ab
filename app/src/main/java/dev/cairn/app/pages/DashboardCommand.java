package dev.cairn.app.pages;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.dashboard.run.Places;
import dev.cairn.dashboard.web.DashboardServer;
import dev.cairn.store.Clock;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn dashboard`.
@Command(
        name = "dashboard",
        description =
                "Shows runs in a browser, live and past: curves, checkpoints, failures and system use on one time "
                        + "axis. Prints its address, and serves until it is stopped (Ctrl-C).",
        footer = {
            "",
            "It only reads, and takes no lock: trainings do not notice it. Where something can",
            "be done, it shows the command to copy.",
            "",
            "On 127.0.0.1, the default, only this host can reach it. With another --host, the",
            "printed address has a random token, and nobody is answered without it. The",
            "connection is not encrypted: use it in a network that you trust, or keep the",
            "default and forward the port (ssh -L 8420:127.0.0.1:8420 HOST).",
            "",
            "Examples:",
            "  cairn dashboard",
            "  cairn dashboard runs /data/runs --port 0",
            "  cairn dashboard s3://bucket/runs/first"
        })
public final class DashboardCommand implements Callable<Integer> {
    private static final int LARGEST_PORT = 65_535;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "PLACE",
            arity = "0..*",
            description = "Runs, or folders with runs in them or in their folders. Runs in object storage one by one. "
                    + "Default: runs, or the current folder if there is none.")
    private List<RunLocation> places = List.of();

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8420",
            description = "The port; 0 takes a free one. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address to listen at; 0.0.0.0 for all of this host. Default: ${DEFAULT-VALUE}")
    private String host;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DashboardCommand() {}

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > LARGEST_PORT) {
            throw new ParameterException(spec.commandLine(), "--port %d is not from 0 to 65535".formatted(port));
        }
        var shown = new Places(
                places.isEmpty() ? usualPlaces() : checked(), run -> Runs.blobs(spec, run, storage), Clock.system());
        try (DashboardServer server = start(shown)) {
            tell(server);
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.DONE;
    }

    private DashboardServer start(Places shown) throws IOException {
        try {
            return DashboardServer.start(shown, host, port, ReportCommand.version(), Clock.system());
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; --port 0 takes a free port", e);
        }
    }

    private void tell(DashboardServer server) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            Json.print(out, Json.object().put("address", server.address()).put("port", server.port()));
        } else {
            out.println(server.address());
            out.flush();
        }
    }

    private static List<RunLocation> usualPlaces() {
        Path runs = Path.of("runs");
        return List.of(new RunLocation.Folder(Files.isDirectory(runs) ? runs : Path.of(".")));
    }

    private List<RunLocation> checked() {
        for (RunLocation place : places) {
            if (place instanceof RunLocation.Folder(Path folder) && !Files.isDirectory(folder)) {
                throw new ParameterException(
                        spec.commandLine(), "no folder %s; give a folder of runs, such as runs".formatted(folder));
            }
        }
        return places;
    }
}
