package dev.cairn.tensorflow.runtime;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.bytedeco.javacpp.Loader;

/// Settings that TensorFlow makes once per process: it prints only errors on the terminal, and each session has its own
/// threads. If the user sets `TF_CPP_MIN_LOG_LEVEL`, TensorFlow prints all messages of that level.
final class ProcessSettings {
    private static final String LOG_LEVEL = "TF_CPP_MIN_LOG_LEVEL";
    private static final String ERRORS = "2";

    /// Messages that no level turns off. They are printed once, in the first run of a process.
    private static final List<String> CHATTER = List.of(
            "All log messages before absl::InitializeLog()",
            "MLIR V1 optimization pass is not enabled",
            "Started server with target");

    /// A variable of the pinned version. Without this setting, the number of threads of the first session would
    /// apply to all sessions. Each library has its own, and the one of the library that was loaded first is used.
    /// The process that unpacks them loads them in another order than later processes.
    private static final String SHARED_THREADS = "_ZN10tensorflow11LocalDevice22use_global_threadpool_E";

    private static final Set<String> LIBRARIES = Set.of("libtensorflow_cc.so.2", "libtensorflow_framework.so.2");

    /// Read before the variable is set, because Java copies the environment at its first use.
    private static final boolean QUIET = System.getenv(LOG_LEVEL) == null;

    private ProcessSettings() {}

    static void beforeLoading() {
        CLibrary.setEnvironmentUnlessSet(LOG_LEVEL, ERRORS);
    }

    static void afterLoading() throws IOException {
        Loader.getLoadedLibraries().values().stream()
                .filter(file -> LIBRARIES.stream().anyMatch(Path.of(file)::endsWith))
                .flatMap(file -> SymbolLookup.libraryLookup(file, Arena.global()).find(SHARED_THREADS).stream())
                .map(flag -> flag.reinterpret(1))
                .forEach(flag -> flag.set(ValueLayout.JAVA_BOOLEAN, 0, false));
        withoutChatter(QUIET ? ProcessSettings::runOnce : () -> {});
    }

    /// Does this without the messages that no level turns off.
    static void withoutChatter(Runnable action) throws IOException {
        if (!QUIET) {
            action.run();
            return;
        }
        String said = CLibrary.withErrorsKept(action);
        said.lines().filter(line -> CHATTER.stream().noneMatch(line::contains)).forEach(System.err::println);
    }

    private static void runOnce() {
        var graph = new GraphBuilder();
        Output nothing = graph.constant(0L);
        try (Session session = new Session(graph, 1)) {
            session.call(List.of(), List.of(nothing), List.of()).run(List.of()).forEach(NativeTensors::delete);
        }
    }
}
