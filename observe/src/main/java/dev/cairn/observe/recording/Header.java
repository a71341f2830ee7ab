package dev.cairn.observe.recording;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.store.Clock;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// The first line of a file: who writes it.
public final class Header {
    private Header() {}

    /// Returns the line, to which more keys may be added.
    public static ObjectNode of(int version, long attempt, String process, Clock clock) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("event", "attempt")
                .put("time", clock.now().toString())
                .put("version", version)
                .put("attempt", attempt)
                .put("process", process)
                .put("host", hostName())
                .put("pid", ProcessHandle.current().pid())
                .put("java", Runtime.version().toString());
    }

    /// The name of this host; empty if it has none.
    public static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "";
        }
    }
}
