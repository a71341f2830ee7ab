package dev.cairn.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;

/// A connection between a supervisor and a member or an agent. Any thread may send; one thread reads.
public final class Connection implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    /// The longest message. Longer than any that a member sends.
    private static final int LONGEST = 4 << 20;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /// Connects to a supervisor. Each side then knows that the other one knows the secret.
    ///
    /// @throws NotLetInException if the other side does not know it
    public static Connection to(Address address, Secret secret) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address.inet(), address.port()), (int) Door.PATIENCE.toMillis());
            var connection = new Connection(socket);
            connection.patience(Door.PATIENCE);
            if (!connection.knows(secret)) {
                throw new NotLetInException(
                        "%s did not let this process in: its job has another secret, or it is no training of Cairn; give the same secret on each host"
                                .formatted(address));
            }
            connection.patience(Duration.ZERO);
            return connection;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private boolean knows(Secret secret) {
        Optional<Message> first = read();
        if (first.isEmpty() || !(first.get() instanceof Message.Challenge(String theirs))) {
            return false;
        }
        String nonce = Secret.random().text();
        send(new Message.Hello(nonce, secret.proof(Door.VISITOR, theirs + nonce)));
        Optional<Message> answer = read();
        return answer.isPresent()
                && answer.get() instanceof Message.Welcome(String proof)
                && secret.isProof(proof, Door.HOST, nonce + theirs);
    }

    /// The address of this process as the other side sees it.
    public String localAddress() {
        return socket.getLocalAddress().getHostAddress();
    }

    /// Sends a message. Does nothing if the other side is gone: its end is noticed by [#read].
    public synchronized void send(Message message) {
        try {
            out.write((JSON.writeValueAsString(message) + "\n").getBytes(UTF_8));
            out.flush();
        } catch (IOException gone) {
            close();
        }
    }

    /// Waits for the next message. Empty if the other side is gone, or says something else than a message.
    public Optional<Message> read() {
        try {
            var line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0 || line.size() >= LONGEST) {
                    return Optional.empty();
                }
                line.write(next);
            }
            return Optional.of(JSON.readValue(line.toByteArray(), Message.class));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /// Makes [#read] give up after this time without a message; zero for never.
    void patience(Duration limit) throws IOException {
        socket.setSoTimeout((int) limit.toMillis());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closed) {
            // It is of no more use either way.
        }
    }
}
