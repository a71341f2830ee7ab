package dev.cairn.bench.observe;

import dev.cairn.bench.observe.Recorders.Kind;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A training that nobody records, and one that everything records, and that a dashboard shows to a page in some turns
/// and not in others. Each has the machine to itself for two seconds at a time.
final class Turns implements AutoCloseable {
    private static final Duration TURN = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration PAGE_WARM_UP = Duration.ofSeconds(8);
    private static final Duration SCRAPE_EVERY = Duration.ofSeconds(5);
    private static final Pattern ADDRESS = Pattern.compile("\"address\"\\s*:\\s*\"(http[^\"]+)\"");

    /// What `./cairn` gives to the dashboard.
    private static final List<String> DASHBOARD_FLAGS =
            List.of("-Xmx160m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30", "-XX:TieredStopAtLevel=1");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<Turn, Measured> trainings = new EnumMap<>(Turn.class);
    private final TurnProcess dashboard;
    private final PageReader page;
    private Duration sinceScrape = Duration.ZERO;
    private Duration cpuBefore = Duration.ZERO;
    private double recordingBefore;

    /// What a turn is like.
    enum Turn {
        /// Nobody records the training.
        ALONE,
        /// Everything records it.
        RECORDED,
        /// Everything records it, and a dashboard shows it to a page.
        SHOWN
    }

    /// A training that is measured in some turns.
    private record Measured(TurnProcess process, MappedByteBuffer account, Optional<URI> metrics) {
        long steps() {
            return account.getLong(EndlessTraining.STEPS);
        }

        double recordingSeconds() {
            return account.getLong(EndlessTraining.RECORDING) / 1e9;
        }
    }

    /// What a step took in a turn.
    ///
    /// @param cpuSeconds processor time of the training
    /// @param seconds from one step to the next
    /// @param dashboardShare processor time of the dashboard, as a share of one core
    record Cost(double cpuSeconds, double seconds, double dashboardShare) {}

    /// @param main the name of the program's main class
    /// @param threads the number of threads of each training
    Turns(String main, Path folder, int threads) throws IOException {
        try {
            trainings.put(Turn.ALONE, training(folder, "alone", threads, Kind.NOBODY));
            Measured shown = training(folder, "shown", threads, Kind.EVERYBODY);
            trainings.put(Turn.RECORDED, shown);
            trainings.put(Turn.SHOWN, shown);
            dashboard = new TurnProcess(
                    folder,
                    main,
                    DASHBOARD_FLAGS,
                    List.of("dashboard", folder.resolve("shown").toString(), "--port", "0", "--json"));
            open.add(dashboard);
            page = new PageReader(address());
            open.add(page);
            shown.process().goOn();
            pause(PAGE_WARM_UP);
            shown.process().stop();
            dashboard.stop();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /// Starts a training, and stops it when it is warm.
    private Measured training(Path folder, String name, int threads, Kind kind) throws IOException {
        Path steps = folder.resolve(name + ".steps");
        MappedByteBuffer account = EndlessTraining.map(steps);
        var process = new TurnProcess(
                folder,
                EndlessTraining.class.getName(),
                List.of(),
                List.of(
                        Files.createDirectories(folder.resolve(name).resolve("run"))
                                .toString(),
                        steps.toString(),
                        Integer.toString(threads),
                        kind.name().toLowerCase(Locale.ROOT)));
        open.add(process);
        Optional<URI> metrics = kind == Kind.EVERYBODY ? Optional.of(URI.create(process.line())) : Optional.empty();
        pause(WARM_UP);
        process.stop();
        return new Measured(process, account, metrics);
    }

    private URI address() throws IOException {
        var said = new StringBuilder();
        while (true) {
            said.append(dashboard.line());
            Matcher address = ADDRESS.matcher(said);
            if (address.find()) {
                return URI.create(address.group(1));
            }
        }
    }

    /// Lets each have some turns, in another order each time.
    ///
    /// @param receiver gets the costs of each round
    void take(int rounds, Consumer<Map<Turn, Cost>> receiver) throws IOException {
        recordingBefore = of(Turn.RECORDED).recordingSeconds();
        cpuBefore = of(Turn.RECORDED).process().cpu();
        var order = new ArrayList<>(List.of(Turn.values()));
        var random = new Random(1);
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            var costs = new EnumMap<Turn, Cost>(Turn.class);
            for (Turn turn : order) {
                costs.put(turn, take(turn));
            }
            receiver.accept(costs);
        }
        if (page.answers() < rounds) {
            throw new IOException("the page of the dashboard was brought up to date only %d times in %d turns"
                    .formatted(page.answers(), rounds));
        }
    }

    /// The share of the processor time of the recorded training that recording took in these turns.
    double recordingShare() throws IOException {
        Measured recorded = of(Turn.RECORDED);
        return (recorded.recordingSeconds() - recordingBefore)
                / seconds(recorded.process().cpu().minus(cpuBefore));
    }

    private Cost take(Turn turn) throws IOException {
        Measured training = of(turn);
        Duration cpu = training.process().cpu();
        Duration dashboardCpu = dashboard.cpu();
        long steps = training.steps();
        long begin = System.nanoTime();
        training.process().goOn();
        if (turn == Turn.SHOWN) {
            dashboard.goOn();
        }
        if (training.metrics().isPresent()) {
            scrapeIfDue(training.metrics().get());
        }
        pause(TURN.minusNanos(System.nanoTime() - begin));
        training.process().stop();
        dashboard.stop();
        double seconds = (System.nanoTime() - begin) / 1e9;
        pause(Duration.ofMillis(5)); // until all threads stand still
        double count = training.steps() - steps;
        if (count < 1) {
            throw new IOException(
                    "a measured training made no step in 2 s; measure on a machine that does nothing else");
        }
        return new Cost(
                seconds(training.process().cpu().minus(cpu)) / count,
                seconds / count,
                seconds(dashboard.cpu().minus(dashboardCpu)) / seconds);
    }

    private Measured of(Turn turn) {
        return Objects.requireNonNull(trainings.get(turn));
    }

    /// Asks for the metrics, as Prometheus would.
    private void scrapeIfDue(URI metrics) throws IOException {
        sinceScrape = sinceScrape.plus(TURN);
        if (sinceScrape.compareTo(SCRAPE_EVERY) >= 0) {
            sinceScrape = sinceScrape.minus(SCRAPE_EVERY);
            try (InputStream in = metrics.toURL().openStream()) {
                in.readAllBytes();
            }
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static void pause(Duration duration) throws IOException {
        try {
            Clock.system().pause(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public void close() {
        for (AutoCloseable each : open.reversed()) {
            try {
                each.close();
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        open.clear();
    }
}
