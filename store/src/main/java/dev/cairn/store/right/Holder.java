package dev.cairn.store.right;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The description of this process for other processes. For people only: process ids and host names are reused.
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
