package dev.cairn.plan.recovery;

import java.util.Arrays;

/// Messages by number, stored as columns because a trace may have millions.
final class Messages {
    private final NameTable names;
    private final int[] sender;
    private final int[] sentAfter;
    private final int[] receiver;
    private final int[] receivedAfter;

    Messages(NameTable names, int[] sender, int[] sentAfter, int[] receiver, int[] receivedAfter) {
        this.names = names;
        this.sender = Arrays.copyOf(sender, names.count());
        this.sentAfter = Arrays.copyOf(sentAfter, names.count());
        this.receiver = Arrays.copyOf(receiver, names.count());
        this.receivedAfter = Arrays.copyOf(receivedAfter, names.count());
    }

    int count() {
        return names.count();
    }

    String name(int message) {
        return names.name(message);
    }

    int sender(int message) {
        return sender[message];
    }

    /// The receiver of the message, or [Trace#NOBODY] if it never arrived.
    int receiver(int message) {
        return receiver[message];
    }

    /// The sender's last checkpoint before the send. It does not record the send; the next one does.
    int sentAfter(int message) {
        return sentAfter[message];
    }

    /// The receiver's last checkpoint before the delivery. It does not record the delivery; the next one does.
    int receivedAfter(int message) {
        return receivedAfter[message];
    }

    /// Whether the delivery is recorded and the send is not.
    boolean isOrphan(int message, int senderAt, int receiverAt) {
        return senderAt <= sentAfter[message] && receiverAt > receivedAfter[message];
    }

    /// Whether the send is recorded and the delivery is not.
    boolean isUnderWay(int message, int senderAt, int receiverAt) {
        return senderAt > sentAfter[message]
                && (receiver[message] == Trace.NOBODY || receiverAt <= receivedAfter[message]);
    }
}
