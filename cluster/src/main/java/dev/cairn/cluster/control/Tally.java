package dev.cairn.cluster.control;

import org.jspecify.annotations.Nullable;

/// What a member has done since its process started.
///
/// @param steps the steps that it made together with the others
/// @param examples the examples of its shares
/// @param loss the mean loss of its last share; NaN if there was none
/// @param teamSeconds the time in which it was in a group
/// @param waitSeconds the part of that time in which it exchanged something: waited for the others and the network
/// @param dataSeconds the time in which it waited for its examples
/// @param saveSeconds the time in which it waited for saves
/// @param sentBytes what it sent to the others of its groups; null if the system does not tell
/// @param receivedBytes what it received from them; null if the system does not tell
/// @param ownPace what it has done without waiting for the others
public record Tally(
        long steps,
        long examples,
        double loss,
        double teamSeconds,
        double waitSeconds,
        double dataSeconds,
        double saveSeconds,
        @Nullable Long sentBytes,
        @Nullable Long receivedBytes,
        OwnPace ownPace) {
    /// Of a member that has done nothing yet.
    public static final Tally NONE = new Tally(0, 0, Double.NaN, 0, 0, 0, 0, null, null);

    /// Of a member that waits for the others.
    public Tally(
            long steps,
            long examples,
            double loss,
            double teamSeconds,
            double waitSeconds,
            double dataSeconds,
            double saveSeconds,
            @Nullable Long sentBytes,
            @Nullable Long receivedBytes) {
        this(
                steps,
                examples,
                loss,
                teamSeconds,
                waitSeconds,
                dataSeconds,
                saveSeconds,
                sentBytes,
                receivedBytes,
                OwnPace.NONE);
    }

    /// With what it has done without waiting for the others.
    public Tally with(OwnPace pace) {
        return new Tally(
                steps,
                examples,
                loss,
                teamSeconds,
                waitSeconds,
                dataSeconds,
                saveSeconds,
                sentBytes,
                receivedBytes,
                pace);
    }

    /// With what it has exchanged until now.
    public Tally withTraffic(long sent, long received) {
        return new Tally(
                steps, examples, loss, teamSeconds, waitSeconds, dataSeconds, saveSeconds, sent, received, ownPace);
    }

    /// What was done between an earlier tally of the same member and this one.
    public Tally since(Tally earlier) {
        return new Tally(
                steps - earlier.steps,
                examples - earlier.examples,
                loss,
                teamSeconds - earlier.teamSeconds,
                waitSeconds - earlier.waitSeconds,
                dataSeconds - earlier.dataSeconds,
                saveSeconds - earlier.saveSeconds,
                sentBytes == null ? null : (Long) (sentBytes - known(earlier.sentBytes)),
                receivedBytes == null ? null : (Long) (receivedBytes - known(earlier.receivedBytes)),
                ownPace.since(earlier.ownPace));
    }

    /// This and what was done after it. The loss is the later one.
    public Tally plus(Tally later) {
        return new Tally(
                steps + later.steps,
                examples + later.examples,
                Double.isNaN(later.loss) ? loss : later.loss,
                teamSeconds + later.teamSeconds,
                waitSeconds + later.waitSeconds,
                dataSeconds + later.dataSeconds,
                saveSeconds + later.saveSeconds,
                sum(sentBytes, later.sentBytes),
                sum(receivedBytes, later.receivedBytes),
                ownPace.plus(later.ownPace));
    }

    private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
        return one == null && other == null ? null : (Long) (known(one) + known(other));
    }

    private static long known(@Nullable Long bytes) {
        return bytes == null ? 0 : bytes;
    }
}
