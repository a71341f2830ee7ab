package dev.cairn.checkpoint.background;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Threads that give way to the training: where cores are short, the system lets the others go first.
///
/// Java's own thread priorities do nothing on Linux. There a thread makes itself `nice`, which needs native access
/// (`--enable-native-access=ALL-UNNAMED`); without it, and on other systems, these threads are like any other. Threads
/// that they start are as nice as they are. Nice cannot be taken back, so what somebody waits for needs a thread
/// of another kind.
public final class BackgroundThreads {
    /// So much nicer than the process: a third of the time that a thread of the training gets on the same core.
    static final int NICER = 5;

    private BackgroundThreads() {}

    /// Daemon threads of this name.
    public static ThreadFactory named(String name) {
        return task -> Thread.ofPlatform().name(name).daemon(true).unstarted(() -> {
            giveWay();
            task.run();
        });
    }

    /// Makes the calling thread nicer; whether that was possible.
    static boolean giveWay() {
        if (Nice.HANDLE == null) {
            return false;
        }
        try {
            int _ = (int) Nice.HANDLE.invokeExact(NICER); // To be nicer is always allowed.
            return true;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Linked once, when first needed.
    private static final class Nice {
        static final @Nullable MethodHandle HANDLE = find();

        private static @Nullable MethodHandle find() {
            // To link without the permission would print a warning that nobody asked for.
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
