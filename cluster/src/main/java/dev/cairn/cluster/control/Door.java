package dev.cairn.cluster.control;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Lets members and agents in. It listens on one address only. Who does not prove within a few seconds to know
/// the secret gets no answer, and the connection is closed.
public final class Door implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /// The two sides, in their proofs.
    static final String VISITOR = "visitor";

    static final String HOST = "host";
    private static final int MOST_WAITING = 128;

    private final ServerSocket socket;
    private final Secret secret;
    private final Address address;

    private Door(ServerSocket socket, Secret secret, Address address) {
        this.socket = socket;
        this.secret = secret;
        this.address = address;
    }

    /// Listens on this address.
    ///
    /// @param entered receives the first message and the connection of each process, on a thread of its own,
    ///     which may then read from it
    public static Door open(Address address, Secret secret, BiConsumer<Message, Connection> entered)
            throws IOException {
        var socket = new ServerSocket();
        try {
            socket.setReuseAddress(true); // connections of a job before may not have ended yet
            socket.bind(new InetSocketAddress(address.inet(), address.port()), MOST_WAITING);
        } catch (BindException e) {
            socket.close();
            throw new BindException(why(address, e));
        }
        var door = new Door(socket, secret, new Address(address.host(), socket.getLocalPort()));
        Thread.ofPlatform().name("cairn-door").daemon(true).start(() -> door.letIn(entered));
        return door;
    }

    private static String why(Address address, BindException e) {
        String problem = String.valueOf(e.getMessage());
        return problem.contains("assign")
                ? "cannot listen on %s: no interface of this host has this address; start the command with rank 0 on the host that has it, or name another address"
                        .formatted(address)
                : "cannot listen on %s: %s; another job or program uses this port: end it, or name another port on all hosts"
                        .formatted(address, problem);
    }

    /// Where members connect.
    public Address address() {
        return address;
    }

    private void letIn(BiConsumer<Message, Connection> entered) {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                Thread.ofPlatform().name("cairn-member").daemon(true).start(() -> greet(accepted, entered));
            } catch (IOException e) {
                // Closed, or this one could not be accepted. The member notices.
            }
        }
    }

    private void greet(Socket accepted, BiConsumer<Message, Connection> entered) {
        try {
            var connection = new Connection(accepted);
            connection.patience(PATIENCE);
            Optional<Message> first = isLetIn(connection) ? connection.read() : Optional.empty();
            if (first.isPresent()) {
                connection.patience(Duration.ZERO);
                entered.accept(first.get(), connection);
            } else {
                connection.close();
            }
        } catch (IOException gone) {
            // It was not a member, or it died at once.
        }
    }

    private boolean isLetIn(Connection connection) {
        String nonce = Secret.random().text();
        connection.send(new Message.Challenge(nonce));
        Optional<Message> first = connection.read();
        if (first.isEmpty()
                || !(first.get() instanceof Message.Hello(String theirs, String proof))
                || !secret.isProof(proof, VISITOR, nonce + theirs)) {
            return false;
        }
        connection.send(new Message.Welcome(secret.proof(HOST, theirs + nonce)));
        return true;
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
