package dev.cairn.app;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A training on several hosts of a network: the same command on each.
///
/// @param run the folder of the run, which all hosts share
record HostedJob(Network network, int hosts, Path run) {
    static final String SECRET = "the secret of the tests";
    private static final int PORT = 29_500;

    /// Starts the command on a host.
    ChildProcess start(int host, String workload, List<String> options) throws IOException {
        return command(host, workload, options)
                .withVariable("CAIRN_JOB_SECRET", SECRET)
                .start();
    }

    /// The command on a host, without the secret.
    Command command(int host, String workload, List<String> options) {
        var arguments = new ArrayList<>(List.of("train", workload, "--run", run.toString()));
        arguments.addAll(options);
        Command java = Command.java(
                List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments.toArray(String[]::new));
        return network.on(host, java)
                .withVariable("MASTER_ADDR", network.address(0))
                .withVariable("MASTER_PORT", Integer.toString(PORT))
                .withVariable("RANK", Integer.toString(host))
                .withVariable("WORLD_SIZE", Integer.toString(hosts));
    }
}
