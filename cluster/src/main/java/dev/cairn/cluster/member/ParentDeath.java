package dev.cairn.cluster.member;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Makes the system send SIGTERM to this process when the process that started it dies, however it dies. The end of
/// the link tells the same, but not to a process that is stopped.
public final class ParentDeath {
    private static final int PR_SET_PDEATHSIG = 1;
    private static final long SIGTERM = 15;

    private ParentDeath() {}

    /// Asks the system for that. Call it on a thread that lives as long as the process, because the system forgets it
    /// with the thread. On systems without such a signal it does nothing.
    ///
    /// @return whether the parent is still this process
    public static boolean becomesSigterm(long parent) {
        try {
            Linker linker = Linker.nativeLinker();
            var prctl = linker.defaultLookup().find("prctl");
            if (prctl.isPresent()) {
                MethodHandle call = linker.downcallHandle(
                        prctl.get(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                        Linker.Option.firstVariadicArg(1));
                int _ = (int) call.invokeExact(PR_SET_PDEATHSIG, SIGTERM);
            }
        } catch (Throwable e) { // as the method handle declares
            throw new IllegalStateException(e);
        }
        return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(-1L) == parent;
    }
}
