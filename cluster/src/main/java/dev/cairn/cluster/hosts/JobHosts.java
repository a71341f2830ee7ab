package dev.cairn.cluster.hosts;

import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Secret;
import java.time.Duration;
import java.util.Map;

/// The hosts of a job, as the supervisor is told.
///
/// @param count their number; the supervisor is on the first
/// @param door where the supervisor listens
/// @param secret the secret of the job
/// @param patience how long to wait for the hosts before the first step
/// @param asked what was asked for; must be the same on all hosts
public record JobHosts(int count, Address door, Secret secret, Duration patience, Map<String, String> asked) {
    public JobHosts {
        asked = Map.copyOf(asked);
        if (count < 1) {
            throw new IllegalArgumentException("no hosts: " + count);
        }
    }

    /// This host alone, with a secret of the job's own.
    public static JobHosts alone() {
        return new JobHosts(1, new Address(Address.THIS_HOST, 0), Secret.random(), Duration.ZERO, Map.of());
    }

    /// Whether there are others.
    public boolean areSeveral() {
        return count > 1;
    }

    /// How many of these processes run on this host: as many as on the others, or one more on the first ones.
    public int share(int processes, int host) {
        return processes / count + (host < processes % count ? 1 : 0);
    }

    /// How many of these processes run on the hosts before this one.
    public int before(int processes, int host) {
        return host * (processes / count) + Math.min(host, processes % count);
    }
}
