package dev.cairn.checkpoint.background;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Creates threads with a lower priority than the training: if there are not enough cores, the system runs the other
/// threads first.
///
/// Java's thread priorities have no effect on Linux. There a thread raises its own `nice` value, which needs native
/// access (`--enable-native-access=ALL-UNNAMED`). Without it, and on other systems, these threads are like any other.
/// Threads that they start inherit the nice value. A nice value cannot be lowered again, so work that a caller waits
/// for needs a thread of another kind.
public final class BackgroundThreads {
    /// The increase of the nice value: such a thread gets a third of the time of a training thread on the same
    /// core.
    static final int NICER = 5;

    /// The highest nice value: such a thread runs when nothing else wants the core.
    private static final int NICEST = 19;

    private BackgroundThreads() {}

    /// A factory for daemon threads with this name.
    public static ThreadFactory named(String name) {
        return nicer(name, NICER);
    }

    /// A factory for daemon threads with this name and the lowest priority.
    public static ThreadFactory lowest(String name) {
        return nicer(name, NICEST);
    }

    private static ThreadFactory nicer(String name, int by) {
        return task -> Thread.ofPlatform().name(name).daemon(true).unstarted(() -> {
            giveWay(by);
            task.run();
        });
    }

    /// Raises the nice value of the calling thread. Returns whether that was possible.
    static boolean giveWay() {
        return giveWay(NICER);
    }

    private static boolean giveWay(int by) {
        if (Nice.HANDLE == null) {
            return false;
        }
        try {
            int _ = (int) Nice.HANDLE.invokeExact(by); // Raising the nice value is always allowed.
            return true;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Linked once, on first use.
    private static final class Nice {
        static final @Nullable MethodHandle HANDLE = find();

        private static @Nullable MethodHandle find() {
            // Linking without the permission would print a warning.
            if (!System.getProperty("os.name", "").equals("Linux")
                    || !BackgroundThreads.class.getModule().isNativeAccessEnabled()) {
                return null;
            }
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup()
                    .find("nice")
                    .map(address -> linker.downcallHandle(
                            address, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)))
                    .orElse(null);
        }
    }
}
