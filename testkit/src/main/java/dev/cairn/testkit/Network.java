package dev.cairn.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Several hosts on this machine, as far as the network is concerned: each has an interface of its own, and all are
/// connected to one switch. Needs root on Linux.
public final class Network implements AutoCloseable {
    private static final String SUBNET = "10.77.0.";

    private final String prefix = "cn" + ProcessHandle.current().pid();
    private final int hosts;

    private Network(int hosts) {
        this.hosts = hosts;
    }

    /// Whether this machine lets this process make such networks.
    public static boolean isPossible() {
        try (var _ = new Network(0)) {
            return Command.of(
                                    "ip",
                                    "netns",
                                    "add",
                                    "cn" + ProcessHandle.current().pid() + "sw")
                            .succeeds()
                    && Command.of("nsenter", "--version").succeeds();
        }
    }

    /// Makes a network of hosts, counted from 0.
    public static Network of(int hosts) {
        var network = new Network(hosts);
        try {
            network.make();
        } catch (RuntimeException | Error e) {
            network.close();
            throw e;
        }
        return network;
    }

    private void make() {
        ip("netns", "add", prefix + "sw");
        ip("-n", prefix + "sw", "link", "add", "br0", "type", "bridge");
        ip("-n", prefix + "sw", "link", "set", "br0", "up");
        for (int host = 0; host < hosts; host++) {
            String name = prefix + "h" + host;
            ip("netns", "add", name);
            ip("-n", name, "link", "set", "lo", "up");
            ip(
                    "link",
                    "add",
                    "eth0",
                    "netns",
                    name,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    port(host),
                    "netns",
                    prefix + "sw");
            ip("-n", prefix + "sw", "link", "set", port(host), "master", "br0", "up");
            ip("-n", name, "addr", "add", address(host) + "/24", "dev", "eth0");
            ip("-n", name, "link", "set", "eth0", "up");
        }
    }

    /// The address of a host.
    public String address(int host) {
        return SUBNET + (host + 1);
    }

    /// The command, on that host.
    public Command on(int host, Command command) {
        return command.startedBy(List.of("nsenter", "--net=/run/netns/" + prefix + "h" + host));
    }

    /// Cuts a host off from all others.
    public void cut(int host) {
        ip("-n", prefix + "sw", "link", "set", port(host), "down");
    }

    /// Connects it again.
    public void mend(int host) {
        ip("-n", prefix + "sw", "link", "set", port(host), "up");
    }

    /// Limits what a host sends and receives to this many megabits a second.
    public void limit(int host, int megabits) {
        String rate = megabits + "mbit";
        tc(prefix + "h" + host, "eth0", rate);
        tc(prefix + "sw", port(host), rate);
    }

    private static void tc(String namespace, String device, String rate) {
        run(
                "tc", "-n", namespace, "qdisc", "add", "dev", device, "root", "tbf", "rate", rate, "burst", "64kb",
                "limit", "1mb");
    }

    /// The bytes that a host has sent, with everything that belongs to a packet.
    public long sentBytes(int host) {
        String told = run("ip", "-n", prefix + "h" + host, "-s", "-o", "link", "show", "dev", "eth0");
        // ... RX: bytes packets ... \ 123 4 ... \ TX: bytes ... \ 567 8 ...
        String sent = told.substring(told.indexOf("TX:"));
        String numbers = sent.substring(sent.indexOf('\\') + 1).strip();
        return Long.parseLong(numbers.split("\\s+", 2)[0]);
    }

    private String port(int host) {
        return "p" + host;
    }

    private static void ip(String... arguments) {
        var words = new ArrayList<>(List.of("ip"));
        words.addAll(List.of(arguments));
        run(words.toArray(String[]::new));
    }

    private static String run(String... words) {
        try {
            return Command.of(words).succeed();
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", words), e);
        }
    }

    /// Removes the network. Processes on its hosts lose their connections.
    @Override
    public void close() {
        Command.of("ip", "netns", "del", prefix + "sw").succeeds();
        for (int host = 0; host < hosts; host++) {
            Command.of("ip", "netns", "del", prefix + "h" + host).succeeds();
        }
    }
}
