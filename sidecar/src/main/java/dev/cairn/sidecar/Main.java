package dev.cairn.sidecar;

import dev.cairn.checkpoint.Selector;
import dev.cairn.store.Attributes;
import java.io.IOException;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The process beside a training: `Main MEMORY PID START`, with a Unix socket as its standard input. `MEMORY` is the
/// number of the open file that is the shared memory, `PID` and `START` tell who the training is. Started by the client
/// (`docs/SIDECAR.md`), not by people.
public final class Main {
    private static final int REFUSED = 2;

    private Main() {}

    /// Serves the training until nothing is left to commit.
    public static void main(String[] args) throws IOException, InterruptedException {
        ignoreSignals();
        if (args.length != 3 || !(System.inheritedChannel() instanceof SocketChannel socket)) {
            System.err.println("this program is started by the Python package cairn; see docs/SIDECAR.md");
            System.exit(REFUSED);
            return;
        }
        var training = new Training(Long.parseLong(args[1]), Long.parseLong(args[2]));
        try (Link link = new Link(socket, training);
                SharedMemory memory = new SharedMemory(Integer.parseInt(args[0]))) {
            serve(link, memory);
        }
        System.exit(0); // Whatever threads are left: the run is closed.
    }

    /// The version of this build, or `unknown` if its classes are in no jar.
    static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("unknown");
    }

    private static void serve(Link link, SharedMemory memory) throws IOException, InterruptedException {
        Optional<Attributes> first = link.next();
        if (first.isEmpty()) {
            return;
        }
        String refusal = Hello.refusal(first.get(), version());
        if (!refusal.isEmpty()) {
            link.send("refused", Map.of("text", refusal));
            return;
        }
        try {
            Hello hello = Hello.of(first.get());
            if (hello.reads()) {
                read(link, memory, hello, first.get());
            } else {
                new Session(link, memory, hello).run();
            }
        } catch (IOException | RuntimeException | Error e) {
            link.send("refused", Map.of("text", Complaints.line(e)));
        }
    }

    private static void read(Link link, SharedMemory memory, Hello hello, Attributes asked) throws IOException {
        String text = asked.text("checkpoint").orElse("latest");
        Selector selector = Selector.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "step='" + text + "' is neither a step, nor 'best', nor 'latest'"));
        var wanted = new RestoredState.Wanted(texts(asked, "only"), texts(asked, "roles"));
        link.send(
                "restored",
                RestoredState.of(hello.run(), selector, wanted, memory, new Reports(link))
                        .message());
    }

    private static List<String> texts(Attributes message, String name) {
        return message.list(name).orElse(List.of()).stream().map(String::valueOf).toList();
    }

    /// A signal to all processes of a terminal or a job is for the training, which decides what is saved. Uses
    /// reflection: `sun.misc.Signal` is supported, but the compiler's warning about it cannot be suppressed.
    private static void ignoreSignals() {
        for (String name : List.of("TERM", "INT", "HUP")) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                var nothing = MethodHandles.empty(MethodType.methodType(void.class, signal));
                signal.getMethod("handle", signal, handler)
                        .invoke(
                                null,
                                signal.getConstructor(String.class).newInstance(name),
                                MethodHandleProxies.asInterfaceInstance(handler, nothing));
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                System.getLogger("dev.cairn.sidecar").log(System.Logger.Level.DEBUG, "signal not ignored: " + name, e);
            }
        }
    }
}
