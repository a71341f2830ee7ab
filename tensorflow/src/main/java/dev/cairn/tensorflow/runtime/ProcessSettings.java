package dev.cairn.tensorflow.runtime;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;

/// What TensorFlow decides once in a process: it says nothing on the terminal but errors, and each session has threads
/// of its own. A user who sets its `TF_CPP_MIN_LOG_LEVEL` gets to hear all that asks for.
final class ProcessSettings {
    private static final String LOG_LEVEL = "TF_CPP_MIN_LOG_LEVEL";
    private static final String ERRORS = "2";

    /// What no level turns off: said once, in a process's first run.
    private static final List<String> CHATTER =
            List.of("All log messages before absl::InitializeLog()", "MLIR V1 optimization pass is not enabled");

    /// A variable of the pinned version; without it, the first session's number of threads would be that of all.
    private static final String SHARED_THREADS = "_ZN10tensorflow11LocalDevice22use_global_threadpool_E";

    /// Looked at before it is set: Java's copy of the environment is made when it is first asked for.
    private static final boolean QUIET = System.getenv(LOG_LEVEL) == null;

    private ProcessSettings() {}

    static void beforeLoading() {
        CLibrary.setEnvironmentUnlessSet(LOG_LEVEL, ERRORS);
    }

    static void afterLoading() throws IOException {
        Loader.getLoadedLibraries().values().stream()
                .filter(file -> Path.of(file).endsWith("libtensorflow_cc.so.2"))
                .findFirst()
                .flatMap(
                        file -> SymbolLookup.libraryLookup(file, Arena.global()).find(SHARED_THREADS))
                .map(flag -> flag.reinterpret(1))
                .ifPresent(flag -> flag.set(ValueLayout.JAVA_BOOLEAN, 0, false));
        if (QUIET) {
            String said = CLibrary.withErrorsKept(ProcessSettings::runOnce);
            said.lines()
                    .filter(line -> CHATTER.stream().noneMatch(line::contains))
                    .forEach(System.err::println);
        }
    }

    private static void runOnce() {
        var graph = new GraphBuilder();
        Output nothing = graph.constant(0L);
        try (Session session = new Session(graph, 1)) {
            session.call(List.of(), List.of(nothing), List.of()).run(List.of()).forEach(NativeTensors::delete);
        }
    }
}
