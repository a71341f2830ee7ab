package dev.cairn.app.train;

import dev.cairn.app.console.Failures;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.Span;
import dev.cairn.observe.metrics.MetricsServer;
import dev.cairn.observe.system.SystemLog;
import dev.cairn.observe.tensorboard.CurveFolder;
import dev.cairn.observe.tensorboard.TensorBoardLog;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.location.RunLocation;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/// Options of `train` that say what is recorded for people to look at.
final class ObservingOptions {
    private static final String OFF = "off";
    private static final String TOKEN = "CAIRN_METRICS_TOKEN";
    private static final int MOST_PORTS = 65_535;
    private static final int TOKEN_BYTES = 24;

    @Option(
            names = "--tensorboard",
            paramLabel = "DIR|off",
            description =
                    "Where the curves for TensorBoard go (default: tensorboard in the run). In a DIR that several runs "
                            + "share, each has a folder of its name.")
    private @Nullable String tensorboard;

    @Option(
            names = "--summary-every",
            paramLabel = "N",
            defaultValue = "" + TensorBoardLog.USUAL_EVERY,
            description = "Record loss, rate and weights for TensorBoard every N steps (default: ${DEFAULT-VALUE}).")
    private long summaryEvery;

    @Option(
            names = "--system-every",
            paramLabel = "1s|off",
            defaultValue = "1s",
            converter = SystemEvery.class,
            description =
                    "Record how this machine and the processes of the training are used, at this interval (default: "
                            + "${DEFAULT-VALUE}).")
    private Duration systemEvery;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Serve figures of the training for Prometheus on this port while it runs, at "
                    + "http://127.0.0.1:PORT/metrics. 0 takes a free port.")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--metrics-host",
            paramLabel = "ADDRESS",
            description = "With --metrics-port: serve them on this address. Requests must bring the token of the "
                    + "environment variable " + TOKEN + ", or a random one that is printed.")
    private @Nullable String metricsHost;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ObservingOptions() {}

    /// Reads a time, or `off` as no time.
    static final class SystemEvery implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (text.equals(OFF)) {
                return Duration.ZERO;
            }
            try {
                return new Span().convert(text);
            } catch (TypeConversionException e) {
                throw new TypeConversionException("'" + text + "' is neither 'off' nor a time such as 1s, 30s or 5m");
            }
        }
    }

    /// Refuses what makes no sense.
    void check(CommandSpec command) {
        checkMetrics(command);
        if (summaryEvery < 1) {
            throw new ParameterException(
                    command.commandLine(),
                    "--summary-every must be at least 1, not %d; for no curves, give --tensorboard off"
                            .formatted(summaryEvery));
        }
        if (tensorboard != null && tensorboard.isEmpty()) {
            throw new ParameterException(command.commandLine(), "--tensorboard takes a folder, or 'off'");
        }
    }

    private void checkMetrics(CommandSpec command) {
        if (metricsPort == null && metricsHost != null) {
            throw new ParameterException(
                    command.commandLine(), "--metrics-host is for figures that are served; also give --metrics-port");
        }
        if (metricsPort != null && (metricsPort < 0 || metricsPort > MOST_PORTS)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--metrics-port must be from 0 to %d, not %d".formatted(MOST_PORTS, metricsPort));
        }
    }

    /// The server of figures, if it is wanted and its port is free.
    Optional<MetricsServer> metrics(RunLocation run, Terminal terminal) {
        if (metricsPort == null) {
            return Optional.empty();
        }
        try {
            MetricsServer server;
            String token = System.getenv(TOKEN);
            if (metricsHost == null) {
                server = MetricsServer.onLoopback(metricsPort, run.name());
            } else if (token != null && !token.isEmpty()) {
                server = MetricsServer.on(InetAddress.getByName(metricsHost), metricsPort, run.name(), token);
            } else {
                token = randomToken();
                server = MetricsServer.on(InetAddress.getByName(metricsHost), metricsPort, run.name(), token);
                terminal.line("cairn: metrics need the header 'Authorization: Bearer %s'".formatted(token));
            }
            terminal.line("cairn: metrics at " + server.address());
            return Optional.of(server);
        } catch (IOException e) {
            terminal.line("cairn: warning: metrics cannot be served on port %d: %s; training continues without"
                    .formatted(metricsPort, Failures.describe(e)));
            return Optional.empty();
        }
    }

    private static String randomToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// The curves for TensorBoard, if they are wanted and have a place.
    Optional<TensorBoardLog> curves(RunLocation run, BlobStore blobs, String process, Terminal terminal) {
        return folder(run, blobs)
                .map(folder -> TensorBoardLog.in(
                        folder, process, summaryEvery, Clock.system(), trouble("curves for TensorBoard", terminal)));
    }

    private Optional<CurveFolder> folder(RunLocation run, BlobStore blobs) {
        if (OFF.equals(tensorboard)) {
            return Optional.empty();
        }
        if (tensorboard != null) {
            String identity = run instanceof RunLocation.Folder(Path path)
                    ? path.toAbsolutePath().normalize().toString()
                    : run.toString();
            return Optional.of(new CurveFolder.Shared(Path.of(tensorboard), run.name(), identity));
        }
        return Optional.of(
                run instanceof RunLocation.Folder(Path path)
                        ? new CurveFolder.InRun(path)
                        : new CurveFolder.InStorage(blobs));
    }

    /// The system figures, if they are wanted.
    ///
    /// @param processes the pids of the processes to watch, by name
    Optional<SystemLog> figures(
            BlobStore run, String process, Supplier<Map<String, Long>> processes, Terminal terminal) {
        return systemEvery.isZero()
                ? Optional.empty()
                : Optional.of(SystemLog.in(
                        run, process, processes, systemEvery, Clock.system(), trouble("system figures", terminal)));
    }

    private static Consumer<IOException> trouble(String what, Terminal terminal) {
        return failure ->
                terminal.line("cairn: warning: the %s of this training are not recorded: %s; training continues"
                        .formatted(what, Failures.describe(failure)));
    }
}
