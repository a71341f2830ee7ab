package dev.cairn.cluster.control;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Where a supervisor listens.
///
/// @param host a numeric address
/// @param port 0 for any free one
public record Address(String host, int port) {
    /// The address of this host that other hosts cannot reach.
    public static final String THIS_HOST = "127.0.0.1";

    /// The address as Java knows it.
    public InetAddress inet() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not a numeric address: " + host, e);
        }
    }

    @Override
    public String toString() {
        return host.contains(":") ? "[%s]:%d".formatted(host, port) : host + ":" + port;
    }
}
