package dev.cairn.app.train;

import dev.cairn.app.console.ExitCode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Consumer;

/// SIGTERM, SIGINT, SIGHUP and SIGUSR1, handed to one receiver by name. There is one for the process, because signals
/// are. A signal that the process was started to ignore, as by `nohup`, stays ignored.
public final class Signals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP", "USR1");
    private static volatile Consumer<String> receiver = Signals::endAtOnce;

    private Signals() {}

    /// Called once, first thing in the process. Until there is a receiver, a signal ends the process with exit code 75:
    /// nothing has begun.
    public static void install() {
        for (String name : NAMES) {
            try {
                handle(name);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                // A JVM that keeps this signal to itself, or has no such class: the signal does what it does there.
                System.Logger log = System.getLogger("dev.cairn.app");
                log.log(System.Logger.Level.DEBUG, "signal not handled: " + name, e);
            }
        }
    }

    /// From now on signals go there, each on a thread of its own.
    static void sendTo(Consumer<String> newReceiver) {
        receiver = newReceiver;
    }

    /// `sun.misc.Signal` is supported, but the compiler warns of it in a way that nothing silences: hence by
    /// reflection.
    private static void handle(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Consumer<String> toReceiver = text -> receiver.accept(text);
        MethodHandle accept = MethodHandles.publicLookup()
                .findVirtual(Consumer.class, "accept", MethodType.methodType(void.class, Object.class));
        MethodHandle handleThis = MethodHandles.dropArguments(
                MethodHandles.insertArguments(accept, 0, toReceiver, "SIG" + name), 0, signal);
        signal.getMethod("handle", signal, handler)
                .invoke(
                        null,
                        signal.getConstructor(String.class).newInstance(name),
                        MethodHandleProxies.asInterfaceInstance(handler, handleThis));
    }

    private static void endAtOnce(String name) {
        System.err.println(StopRequest.beforeTheFirstStep(name));
        System.err.flush();
        Runtime.getRuntime().halt(ExitCode.STOPPED);
    }
}
