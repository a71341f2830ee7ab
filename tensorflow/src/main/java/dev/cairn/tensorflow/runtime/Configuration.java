package dev.cairn.tensorflow.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;

/// Settings of sessions and servers in the wire format of protocol buffers. A few fields are not worth loading that
/// library.
final class Configuration {
    private static final int MOST_THREADS = 127;
    private static final int LENGTH_DELIMITED = 2;

    private Configuration() {}

    /// A `ConfigProto` for a session whose operations run one after the other on the calling thread.
    ///
    /// The graph runs as it is written: rewriting it made no model faster, and made the very first step slower. In
    /// a server it could change the order of a sum.
    static byte[] session(int threads) {
        var bytes = new Message();
        bytes.number(2, checked(threads)); // intra_op_parallelism_threads
        bytes.number(5, -1); // inter_op_parallelism_threads: the calling thread
        return bytes.message(10, asWritten()).bytes();
    }

    /// A `ConfigProto` for a session in a server of another process.
    ///
    /// @param patience how long a call may take
    static byte[] client(Duration patience) {
        return new Message()
                .number(2, 1)
                .message(10, asWritten())
                .number(11, patience.toMillis()) // operation_timeout_in_ms
                .bytes();
    }

    /// A `ConfigProto` for a server, whose operations of several sessions run at the same time.
    private static byte[] shared(int threads, int sessions) {
        var bytes = new Message();
        bytes.number(2, checked(threads));
        bytes.number(5, sessions);
        return bytes.message(10, asWritten()).bytes();
    }

    /// A `ServerDef` of a server that is the only one of its cluster.
    ///
    /// @param address host and port; port 0 for any that is free
    /// @param sessions about how many sessions it serves at the same time
    static byte[] server(String address, int threads, int sessions) {
        var task = new Message().text(2, address); // the key of the map entry is 0, the default
        var job = new Message().text(1, "ps").message(2, task.bytes());
        return new Message()
                .message(1, new Message().message(1, job.bytes()).bytes()) // cluster
                .text(2, "ps") // job_name
                .message(4, shared(threads, sessions)) // default_session_config
                .text(5, "grpc") // protocol
                .bytes();
    }

    private static int checked(int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "threads must be between 1 and %d: threads=%d".formatted(MOST_THREADS, threads));
        }
        return threads;
    }

    /// `graph_options { rewrite_options { disable_meta_optimizer: true } }`.
    private static byte[] asWritten() {
        byte[] rewriting = new Message().number(19, 1).bytes();
        return new Message().message(10, rewriting).bytes();
    }

    /// A message under construction.
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        byte[] bytes() {
            return out.toByteArray();
        }

        Message number(int field, long value) {
            variable(field << 3);
            variable(value);
            return this;
        }

        Message text(int field, String value) {
            return message(field, value.getBytes(UTF_8));
        }

        Message message(int field, byte[] value) {
            variable((field << 3) | LENGTH_DELIMITED);
            variable(value.length);
            out.writeBytes(value);
            return this;
        }

        private void variable(long value) {
            long left = value;
            while ((left & ~0x7FL) != 0) {
                out.write((int) ((left & 0x7F) | 0x80));
                left >>>= 7;
            }
            out.write((int) left);
        }
    }
}
