package dev.cairn.app.notice;

import dev.cairn.app.text.Span;
import dev.cairn.checkpoint.notice.CommandNotice;
import dev.cairn.checkpoint.notice.Deadline;
import dev.cairn.checkpoint.notice.FileNotice;
import dev.cairn.checkpoint.notice.HttpNotice;
import dev.cairn.checkpoint.notice.NoticeSource;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.store.Clock;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The sources of notices besides signals.
public final class NoticeOptions {
    /// The end of the job in seconds since 1970, set by Slurm.
    static final String SLURM_END = "SLURM_JOB_END_TIME";

    private final Map<String, String> environment;

    public NoticeOptions() {
        this(System.getenv());
    }

    NoticeOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = Moment.class,
            description = "Save and exit before this time, such as 2026-11-15T12:00:00Z. The end of the Slurm job "
                    + "is a deadline too, if " + SLURM_END + " is set.")
    private @Nullable Instant deadline;

    @Option(
            names = "--time-limit",
            paramLabel = "3h50m",
            converter = Span.class,
            description = "Save and exit within this time.")
    private @Nullable Duration timeLimit;

    @Option(
            names = "--grace",
            paramLabel = "2m",
            converter = Span.class,
            description = "How long before the deadline to stop, to leave time for the last save (default: from the "
                    + "duration of saves and steps, at least 10s).")
    private @Nullable Duration grace;

    @Option(
            names = "--notice-file",
            paramLabel = "PATH",
            description = "Save and exit when this file appears. It may contain the number of seconds that are left.")
    private @Nullable Path file;

    @Option(
            names = "--notice-command",
            paramLabel = "CMD",
            description = "Save and exit when this shell command, run every 5s, exits with 0.")
    private @Nullable String command;

    @Option(
            names = "--notice-url",
            paramLabel = "URL",
            converter = Address.class,
            description = "Save and exit when this address, requested every 5s, answers 200 and not FALSE or NONE. It "
                    + "is for the metadata of a spot machine (docs/NOTICES.md lists addresses).")
    private @Nullable URI address;

    @Option(
            names = "--notice-time",
            paramLabel = "10m",
            defaultValue = "10m",
            converter = Span.class,
            description =
                    "How long the last save may take after a notice that does not say how much time is left (default: "
                            + "${DEFAULT-VALUE}).")
    private Duration usualTime = Duration.ofMinutes(10);

    /// How long the last save may take after a notice that does not say how much time is left.
    public Duration usualTime() {
        return usualTime;
    }

    /// Returns why these options contradict each other; null if they do not.
    public @Nullable String problem(Clock time) {
        if (deadline != null && !deadline.isAfter(time.now())) {
            return "--deadline " + deadline + " has passed; give a later one, or none";
        }
        if (timeLimit != null && grace != null && grace.compareTo(timeLimit) >= 0) {
            return "--grace is not shorter than --time-limit; give a shorter one";
        }
        if (grace != null && deadline == null && timeLimit == null && environment.get(SLURM_END) == null) {
            return "--grace needs a deadline; also give --deadline or --time-limit";
        }
        return null;
    }

    /// Starts to watch for notices. The caller closes the result.
    ///
    /// @param measuredGrace how long before a deadline to stop if the user does not say
    public Notices watch(Supplier<Duration> measuredGrace, Clock time, Consumer<String> warn) {
        var sources = new ArrayList<NoticeSource>();
        if (file != null) {
            Instant start = ProcessHandle.current().info().startInstant().orElse(time.now());
            sources.add(new FileNotice(file, start, warn));
        }
        if (command != null) {
            sources.add(new CommandNotice(command, time, warn));
        }
        if (address != null) {
            sources.add(new HttpNotice(address, time, warn));
        }
        var deadlines = new ArrayList<Deadline>();
        if (timeLimit != null) {
            deadlines.add(Deadline.in(timeLimit, "the time limit", graceWithin(timeLimit, measuredGrace), time));
        }
        if (deadline != null) {
            deadlines.add(at(deadline, "the deadline", measuredGrace, time));
        }
        addSlurm(deadlines, environment.get(SLURM_END), measuredGrace, time, warn);
        return Notices.watch(sources, deadlines, usualTime, time);
    }

    private void addSlurm(
            List<Deadline> deadlines,
            @Nullable String end,
            Supplier<Duration> measuredGrace,
            Clock time,
            Consumer<String> warn) {
        if (end == null) {
            return;
        }
        Instant moment = end.matches("[0-9]{1,11}") ? Instant.ofEpochSecond(Long.parseLong(end)) : Instant.MIN;
        if (moment.isAfter(time.now())) {
            deadlines.add(at(moment, "the end of the Slurm job", measuredGrace, time));
        } else {
            warn.accept(SLURM_END + "=" + end + " is not a time in the future and is ignored");
        }
    }

    private Deadline at(Instant moment, String reason, Supplier<Duration> measuredGrace, Clock time) {
        return Deadline.at(moment, reason, graceWithin(Duration.between(time.now(), moment), measuredGrace), time);
    }

    /// Limits the measured grace to half of the time: otherwise the run might never train.
    private Supplier<Duration> graceWithin(Duration limit, Supplier<Duration> measured) {
        Duration given = grace;
        if (given != null) {
            return () -> given;
        }
        Duration most = limit.dividedBy(2);
        return () -> measured.get().compareTo(most) < 0 ? measured.get() : most;
    }

    private static final class Moment implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException e) {
                throw new TypeConversionException(
                        "'" + text + "' is not a time such as 2026-11-15T12:00:00Z or 2026-11-15T13:00+01:00");
            }
        }
    }

    private static final class Address implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            String why = "'" + text + "' is not an address such as http://host/path";
            try {
                URI address = URI.create(text);
                boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
                if (web && address.getHost() != null) {
                    return address;
                }
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(why);
            }
            throw new TypeConversionException(why);
        }
    }
}
