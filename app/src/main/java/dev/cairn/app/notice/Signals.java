package dev.cairn.app.notice;

import dev.cairn.app.console.ExitCode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Consumer;

/// Passes SIGTERM, SIGINT, SIGHUP and SIGUSR1 to one receiver, by name. The receiver is static, because signals
/// belong to the process. A signal that is ignored when the process starts, as with `nohup`, stays ignored.
public final class Signals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP", "USR1");
    private static volatile Consumer<String> receiver = Signals::endAtOnce;

    private Signals() {}

    /// Installs the handlers. Called once, at the start of the process. Until there is a receiver, a signal ends
    /// the process with exit code 75, because nothing has been trained.
    public static void install() {
        for (String name : NAMES) {
            try {
                handle(name);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                // The JVM uses this signal itself or has no such class: the signal keeps its default effect.
                System.Logger log = System.getLogger("dev.cairn.app");
                log.log(System.Logger.Level.DEBUG, "signal not handled: " + name, e);
            }
        }
    }

    /// Passes signals to this receiver from now on, each on its own thread.
    public static void sendTo(Consumer<String> newReceiver) {
        receiver = newReceiver;
    }

    /// Uses reflection: `sun.misc.Signal` is supported, but the compiler's warning about it cannot be suppressed.
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
