package dev.cairn.store.right;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// This process as others are told of it. For people only: process ids and host names are given out again.
final class Holder {
    private Holder() {}

    static String text(Instant since) {
        return "process %d on %s since %s"
                .formatted(ProcessHandle.current().pid(), hostName(), since.truncatedTo(ChronoUnit.SECONDS));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "an unnamed host";
        }
    }
}
