package dev.cairn.app.train;

import dev.cairn.app.console.Version;
import dev.cairn.app.text.Span;
import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.hosts.JobHosts;
import dev.cairn.cluster.launch.BadPlaceException;
import dev.cairn.cluster.launch.Deployment;
import dev.cairn.cluster.launch.HostPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` for processes on several hosts, where the same command is started on each.
final class HostOptions {
    private static final String SECRET = "CAIRN_JOB_SECRET";
    private static final Set<PosixFilePermission> OWNERS =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /// Options with a value that may differ between the hosts.
    private static final Set<String> OWN_VALUES =
            Set.of("--task", "--secret-file", "--host-wait", "--run", "--data-dir", "--deployments");

    /// Options without a value that may differ.
    private static final Set<String> OWN_FLAGS = Set.of("--json", "--verbose", "--trace-steps");

    @Option(
            names = "--deploy",
            paramLabel = "NAME",
            description = {
                "Use a named set of workers instead of --workers:",
                "single    1 worker",
                "cluster   2 workers on this host",
                "cluster2  3 workers on this host",
                "Others are described in --deployments, with their hosts."
            })
    private @Nullable String deploy;

    @Option(
            names = "--deployments",
            paramLabel = "FILE",
            defaultValue = "deployments.json",
            description = "Further sets for --deploy: a JSON object with, for each name, an object like the cluster of "
                    + "TF_CONFIG, such as {\"lab\": {\"worker\": [\"10.0.0.1:29500\", \"10.0.0.2:29500\"]}} (default: "
                    + "${DEFAULT-VALUE}).")
    private Path deployments = Path.of("deployments.json");

    @Option(
            names = "--task",
            paramLabel = "I",
            description = "With --deploy and several hosts: which worker of the set this host starts, from 0.")
    private @Nullable Integer task;

    @Option(
            names = "--show-tf-config",
            description = "With --deploy: print the TF_CONFIG of --task, and do nothing else.")
    private boolean showTfConfig;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "On several hosts: the job's secret, the same on all, in a file that only its owner can read "
                    + "(mode 0600). Or set CAIRN_JOB_SECRET.")
    private @Nullable Path secretFile;

    @Option(
            names = "--host-wait",
            paramLabel = "2m",
            converter = Span.class,
            description = "On several hosts: how long the hosts wait for each other at the start (default: 2m).")
    private Duration patience = Duration.ofMinutes(2);

    private Optional<HostPlace> place = Optional.empty();

    /// Made by picocli, which fills the annotated fields.
    HostOptions() {}

    /// Finds out where this process is in its job, and gives the workers to the options for them.
    void settle(CommandSpec command, WorkerOptions team, Map<String, String> environment) throws IOException {
        try {
            if (deploy == null) {
                refuseWithoutDeploy(command);
                place = HostPlace.in(environment);
                place.ifPresent(found -> team.spread(command, found.count(), found.source()));
                return;
            }
            Deployment named = Deployment.named(deploy, deployments);
            if (named.onThisHost()) {
                if (task != null && !showTfConfig) {
                    throw new BadPlaceException(
                            "--deploy %s has one host, whose command starts all workers; leave --task out"
                                    .formatted(deploy));
                }
            } else if (named.workers().size() > 1) {
                if (task == null) {
                    throw new BadPlaceException(
                            "--deploy %s has %d hosts; also give --task, from 0 to %d, another one on each host"
                                    .formatted(
                                            deploy,
                                            named.workers().size(),
                                            named.workers().size() - 1));
                }
                place = Optional.of(named.place(task));
            }
            team.spread(command, named.workers().size(), "--deploy " + deploy);
        } catch (BadPlaceException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private void refuseWithoutDeploy(CommandSpec command) {
        if (task != null || showTfConfig) {
            throw new ParameterException(
                    command.commandLine(),
                    (task != null ? "--task" : "--show-tf-config") + " needs a named set; also give --deploy");
        }
    }

    /// What to print instead of training; empty if the training is wanted.
    Optional<String> tfConfig(CommandSpec command, boolean served) throws IOException {
        if (!showTfConfig || deploy == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Deployment.named(deploy, deployments)
                    .tfConfig(task == null ? 0 : task, served)
                    .text());
        } catch (BadPlaceException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /// The place of this host in a job of several; empty if all is on this host.
    Optional<HostPlace> place() {
        return place;
    }

    Duration patience() {
        return patience;
    }

    /// The hosts of the job, for its supervisor.
    JobHosts hosts(CommandSpec command, Map<String, String> asked) throws IOException {
        if (place.isEmpty()) {
            return JobHosts.alone();
        }
        return new JobHosts(place.get().count(), supervisor(command), secret(command), patience, asked);
    }

    /// Where the supervisor of the job listens.
    Address supervisor(CommandSpec command) {
        HostPlace found = place.orElseThrow();
        try {
            return new Address(InetAddress.getByName(found.address()).getHostAddress(), found.port());
        } catch (UnknownHostException e) {
            throw new ParameterException(
                    command.commandLine(),
                    "%s: this host does not know the name '%s'; give the address of the first host, or make its name known here"
                            .formatted(found.source(), found.address()),
                    e);
        }
    }

    /// The secret of a job of several hosts.
    Secret secret(CommandSpec command) throws IOException {
        String source = secretFile == null ? SECRET : secretFile.toString();
        String text = secretFile == null ? System.getenv(SECRET) : read(command, secretFile);
        if (text == null || text.isBlank()) {
            throw new ParameterException(
                    command.commandLine(),
                    "%s: a training on several hosts needs a secret that all of them have; make one with '(umask 077; openssl rand -hex 32 > FILE)', copy it to each host, and give --secret-file FILE, or set %s"
                            .formatted(place.orElseThrow().source(), SECRET));
        }
        try {
            return Secret.of(text.strip());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    command.commandLine(),
                    "the secret in %s could be guessed: %s; make one with 'openssl rand -hex 32'"
                            .formatted(source, e.getMessage()),
                    e);
        }
    }

    private static String read(CommandSpec command, Path file) throws IOException {
        try {
            Set<PosixFilePermission> others = EnumSet.noneOf(PosixFilePermission.class);
            others.addAll(Files.getPosixFilePermissions(file));
            others.removeAll(OWNERS);
            if (!others.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(),
                        "others can read the secret in %s; make another one, with mode 0600: (umask 077; openssl rand -hex 32 > %s)"
                                .formatted(file, file));
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ParameterException(
                    command.commandLine(),
                    "there is no file %s; --secret-file names the job's secret".formatted(file),
                    e);
        }
    }

    /// What has to be the same on all hosts.
    ///
    /// @param arguments those of this process
    static Map<String, String> asked(String workload, List<String> arguments) {
        var same = new ArrayList<String>();
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            if (OWN_VALUES.contains(name)) {
                i += word.contains("=") ? 0 : 1;
            } else if (!OWN_FLAGS.contains(word) && !word.equals(workload) && !word.equals("train")) {
                same.add(word);
            }
        }
        return Map.of(
                "version",
                String.join(", ", new Version().getVersion()),
                "workload",
                workload,
                "options",
                same.isEmpty() ? "none" : String.join(" ", same));
    }
}
