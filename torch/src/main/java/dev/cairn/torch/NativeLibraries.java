package dev.cairn.torch;

import dev.cairn.engine.EngineUnavailableException;
import dev.cairn.engine.UnpackedLibraries;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.bytedeco.pytorch.global.torch;

/// Loads libtorch.
final class NativeLibraries {
    private NativeLibraries() {}

    /// @throws EngineUnavailableException if libtorch cannot be loaded on this machine
    static void load() {
        try {
            UnpackedLibraries.load("libtorch-" + version(), torch::get_num_threads);
        } catch (LinkageError | IOException | UncheckedIOException e) {
            throw new EngineUnavailableException(
                    TorchEngine.NAME,
                    "Linux on x86-64 with glibc 2.28 or newer, and 500 MB in the cache folder (XDG_CACHE_HOME)",
                    e);
        }
    }

    /// The version of libtorch, followed by the version of JavaCPP.
    static String version() {
        String version = torch.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
