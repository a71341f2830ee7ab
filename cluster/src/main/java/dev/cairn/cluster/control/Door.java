package dev.cairn.cluster.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Lets members in. It listens on one address only. A connection that does not begin with the secret within a few
/// seconds is closed without an answer.
public final class Door implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_WAITING = 128;

    private final ServerSocket socket;
    private final Secret secret;
    private final Address address;

    private Door(ServerSocket socket, Secret secret, Address address) {
        this.socket = socket;
        this.secret = secret;
        this.address = address;
    }

    /// Listens on a free port of this address.
    ///
    /// @param entered receives the number and the connection of each member, on a thread of its own, which may then
    ///     read from it
    public static Door open(String host, Secret secret, BiConsumer<Integer, Connection> entered) throws IOException {
        var socket = new ServerSocket();
        socket.bind(new InetSocketAddress(new Address(host, 0).inet(), 0), MOST_WAITING);
        var door = new Door(socket, secret, new Address(host, socket.getLocalPort()));
        Thread.ofPlatform().name("cairn-door").daemon(true).start(() -> door.letIn(entered));
        return door;
    }

    /// Where members connect.
    public Address address() {
        return address;
    }

    private void letIn(BiConsumer<Integer, Connection> entered) {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                Thread.ofPlatform().name("cairn-member").daemon(true).start(() -> greet(accepted, entered));
            } catch (IOException e) {
                // Closed, or this one could not be accepted. The member notices.
            }
        }
    }

    private void greet(Socket accepted, BiConsumer<Integer, Connection> entered) {
        try {
            var connection = new Connection(accepted);
            connection.patience(PATIENCE);
            Optional<Message> first = connection.read();
            if (first.isPresent() && first.get() instanceof Message.Hello(String told, int member) && secret.is(told)) {
                connection.patience(Duration.ZERO);
                entered.accept(member, connection);
            } else {
                connection.close();
            }
        } catch (IOException gone) {
            // It was not a member, or it died at once.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closed) {
            // Nobody can enter any more either way.
        }
    }
}
