package dev.cairn.cluster.supervise;

import java.time.Duration;
import java.util.List;

/// Finds members that give no sign of life, because they are stopped or hang. If this process was stopped itself, the
/// others could not be heard, so everyone gets new time.
final class Pulse {
    private static final int LATE = 5;

    private final Duration silence;
    private final Duration tick;
    private long lastNanos;

    /// @param silence how long a member may be silent
    /// @param tick how often [#silent] is called
    Pulse(Duration silence, Duration tick, long nanos) {
        this.silence = silence;
        this.tick = tick;
        this.lastNanos = nanos;
    }

    List<Member> silent(List<Member> members, long nanos) {
        boolean late = nanos - lastNanos > LATE * tick.toNanos();
        lastNanos = nanos;
        if (late) {
            members.forEach(member -> member.heard(nanos));
        }
        return members.stream()
                .filter(member -> member.isConnected() && member.silentNanos(nanos) > silence.toNanos())
                .toList();
    }
}
