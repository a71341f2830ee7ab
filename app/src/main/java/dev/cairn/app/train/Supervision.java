package dev.cairn.app.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.notice.NoticeOptions;
import dev.cairn.app.notice.Signals;
import dev.cairn.app.team.TeamFigures;
import dev.cairn.app.team.TeamReport;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.hosts.JobHosts;
import dev.cairn.cluster.job.JobBefore;
import dev.cairn.cluster.job.JobFile;
import dev.cairn.cluster.job.JobProcess;
import dev.cairn.cluster.supervise.Launcher;
import dev.cairn.cluster.supervise.Outcome;
import dev.cairn.cluster.supervise.Supervisor;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.cluster.supervise.View;
import dev.cairn.store.Clock;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.uncoordinated.JobRecords;
import dev.cairn.train.uncoordinated.Line;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// `cairn train --workers N`: starts the same command as several processes, shows what they say as one, and ends as the
/// training ends.
final class Supervision implements View {
    /// Until the leader has measured its saves.
    private static final Duration UNMEASURED_GRACE = Duration.ofSeconds(30);

    /// As long as a save may take that is made in haste.
    private static final Duration JOB_BEFORE = Duration.ofSeconds(60);

    private static final String OWN = "cairn: ";

    private final WorkerOptions team;
    private final NoticeOptions notices;
    private final Terminal terminal;
    private final PrintWriter out;
    private final boolean json;
    private final Optional<Path> run;
    private final Optional<JobFile> file;
    private final TeamFigures figures;
    private final JobHosts hosts;
    private final String host = hostName();

    Supervision(
            WorkerOptions team,
            NoticeOptions notices,
            RunLocation run,
            Terminal terminal,
            PrintWriter out,
            boolean json,
            TeamFigures figures,
            JobHosts hosts) {
        this.team = team;
        this.run = run instanceof RunLocation.Folder(Path folder) ? Optional.of(folder) : Optional.empty();
        this.file = this.run.map(JobFile::new);
        this.hosts = hosts;
        this.notices = notices;
        this.terminal = terminal;
        this.out = out;
        this.json = json;
        this.figures = figures;
    }

    /// @param arguments those of this process
    int run(List<String> arguments) throws IOException {
        awaitJobBefore();
        Path folder = Files.createTempDirectory("cairn-job-");
        try {
            TeamPlan plan = team.plan(folder, notices.usualTime());
            var supervisor = new Supervisor(plan, hosts, launcher(arguments), this, Clock.system());
            try (Notices watched = notices.watch(
                    () -> grace(supervisor), Clock.system(), warning -> terminal.line("cairn: warning: " + warning))) {
                watched.addListener(supervisor::stop);
                Signals.sendTo(name -> watched.post(Notice.byHand(name)));
                return tell(supervisor.run());
            } finally {
                Signals.sendTo(_ -> {});
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            figures.close();
            remove(folder);
            file.ifPresent(JobFile::remove);
        }
    }

    /// Waits for workers whose supervisor was killed, and which are about to save.
    private void awaitJobBefore() throws IOException {
        if (file.isEmpty()) {
            return;
        }
        var before = JobBefore.of(file.get());
        if (before.left().isEmpty()) {
            return;
        }
        note("%d processes of the training before are about to save and end; waiting for them"
                .formatted(before.left().size()));
        try {
            if (!before.await(JOB_BEFORE)) {
                String pids = before.left().stream()
                        .map(left -> Long.toString(left.pid()))
                        .collect(Collectors.joining(", "));
                throw new IOException(
                        "processes of the training before are still at work after %d s: %s; wait for them, or end them with 'kill'"
                                .formatted(JOB_BEFORE.toSeconds(), pids));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private int tell(Outcome outcome) throws JsonProcessingException {
        terminal.progressDone();
        var report = new TeamReport(outcome.workers(), outcome.failures(), team.servers());
        boolean ended = !outcome.out().isEmpty();
        out.print(json && ended ? report.json(outcome.out()) : outcome.out());
        if (ended && !json) {
            report.print(out);
        }
        out.flush();
        if (!outcome.problem().isEmpty()) {
            terminal.line(OWN + outcome.problem());
        }
        return outcome.code();
    }

    private static Duration grace(Supervisor supervisor) {
        return supervisor.grace().isZero() ? UNMEASURED_GRACE : supervisor.grace();
    }

    /// The same Java with the same class path and arguments.
    static Launcher launcher(List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dcairn.terminal=false");
        command.add("-D%s=%s".formatted(Terminal.SHOWN_ELSEWHERE, Boolean.getBoolean("cairn.terminal")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.cairn.app.Main"));
        command.addAll(arguments);
        return variables -> {
            var builder =
                    new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.environment().putAll(variables);
            return builder.start();
        };
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    /// The name of this host, for people.
    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "";
        }
    }

    /// If each process saves for itself, finds out which of their checkpoints belong together.
    @Override
    public OptionalLong beforeForming() {
        if (!team.isUncoordinated() || run.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            Line line = JobRecords.in(run.get(), team.workers()).line();
            line.write(run.get());
            return OptionalLong.of(line.step());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void memberSaid(String label, String line) {
        terminal.line("%s%s: %s".formatted(OWN, label, line.startsWith(OWN) ? line.substring(OWN.length()) : line));
    }

    @Override
    public void processes(List<JobProcess> now) {
        figures.processes(now);
        file.ifPresent(job -> job.write(new JobFile.Content(host, now)));
    }

    @Override
    public void note(String line) {
        terminal.line(OWN + line);
    }

    @Override
    public void progress(String text) {
        terminal.progress(() -> text);
    }

    @Override
    public void stepMade(String line) {
        out.println(line);
        out.flush();
    }
}
