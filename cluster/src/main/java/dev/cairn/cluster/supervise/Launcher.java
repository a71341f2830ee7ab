package dev.cairn.cluster.supervise;

import java.io.IOException;
import java.util.Map;

/// Starts a member in a process of its own.
public interface Launcher {
    /// Starts it with these variables in its environment, which say who it is.
    Process start(Map<String, String> variables) throws IOException;
}
