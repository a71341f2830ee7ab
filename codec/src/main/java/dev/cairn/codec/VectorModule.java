package dev.cairn.codec;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Loads `jdk.incubator.vector` when a codec first needs it.
///
/// The command-line flag would print a warning at every start, which cannot be turned off, and would slow down commands
/// that encode nothing. The JDK itself adds modules at run time through `jdk.internal.module.Modules`, and `./cairn`
/// opens that package to us. If neither way works, codecs use their scalar twins, which are slower and give the same
/// bits.
public final class VectorModule {
    private static final Logger LOG = System.getLogger("dev.cairn.codec");
    private static final String NAME = "jdk.incubator.vector";
    private static final boolean PRESENT = load();

    private VectorModule() {}

    /// Whether vector code may be used. If not, no class that refers to the module's classes may be loaded.
    public static boolean isPresent() {
        return PRESENT;
    }

    private static boolean load() {
        if (Boolean.getBoolean("cairn.scalar")) {
            return false;
        }
        if (ModuleLayer.boot().findModule(NAME).isPresent()) {
            return true;
        }
        try {
            Class.forName("jdk.internal.module.Modules")
                    .getMethod("loadModule", String.class)
                    .invoke(null, NAME);
            return true;
        } catch (ReflectiveOperationException | RuntimeException closed) {
            LOG.log(
                    Level.INFO,
                    "codecs run without vector instructions; for more speed, start Java with --add-modules {0}, or"
                            + " with --add-exports java.base/jdk.internal.module=ALL-UNNAMED",
                    NAME);
            return false;
        }
    }
}
