package dev.cairn.formats;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// How many bytes this thread has taken from the heap so far.
final class Allocation {
    private Allocation() {}

    static long ofThread() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
