package dev.cairn.engine.server;

import java.util.ArrayList;
import java.util.List;

/// Which weights are in which of several servers: they are dealt out in turn.
///
/// @param servers the number of servers
public record Placement(int servers) {
    public Placement {
        if (servers < 1) {
            throw new IllegalArgumentException("there must be a server: servers=" + servers);
        }
    }

    /// The placement of this many weights. A server beyond their number has none.
    public static Placement of(int servers, int weights) {
        return new Placement(Math.max(1, Math.min(servers, weights)));
    }

    /// What of these is in one server.
    public <T> List<T> of(int server, List<T> all) {
        var mine = new ArrayList<T>();
        for (int i = server; i < all.size(); i += servers) {
            mine.add(all.get(i));
        }
        return List.copyOf(mine);
    }
}
