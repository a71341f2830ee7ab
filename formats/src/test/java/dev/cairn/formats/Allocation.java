package dev.cairn.formats;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// How many bytes this thread has taken from the heap so far.
public final class Allocation {
    private Allocation() {}

    public static long ofThread() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
