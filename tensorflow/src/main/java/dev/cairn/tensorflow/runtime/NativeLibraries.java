package dev.cairn.tensorflow.runtime;

import dev.cairn.engine.EngineUnavailableException;
import dev.cairn.engine.UnpackedLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.global.tensorflow;

/// Loads TensorFlow.
public final class NativeLibraries {
    private static final String NEEDS =
            "Linux on x86-64 with glibc 2.34 or newer, and 700 MB in the cache folder (XDG_CACHE_HOME)";
    private static final String ARTIFACT = "/META-INF/maven/org.tensorflow/tensorflow-core-native/pom.properties";

    private static @Nullable String loaded;

    private NativeLibraries() {}

    /// Loads the libraries without changing settings, for programs that use TensorFlow themselves.
    ///
    /// @throws EngineUnavailableException if they cannot be loaded on this machine
    public static void unpack() {
        try {
            UnpackedLibraries.load("tensorflow-" + artifactVersion(), NativeLibraries::version);
        } catch (LinkageError | IOException | UncheckedIOException e) {
            throw new EngineUnavailableException("tensorflow", NEEDS, e);
        }
    }

    /// Loads the libraries if necessary, and makes the settings that the engine needs for the whole process.
    ///
    /// @return the version of TensorFlow
    /// @throws EngineUnavailableException if they cannot be loaded on this machine
    public static synchronized String load() {
        try {
            if (loaded == null) {
                ProcessSettings.beforeLoading();
                unpack();
                ProcessSettings.afterLoading();
                loaded = version();
            }
            return loaded;
        } catch (LinkageError | IOException e) {
            throw new EngineUnavailableException("tensorflow", NEEDS, e);
        }
    }

    private static String version() {
        BytePointer version = tensorflow.TF_Version();
        return version == null ? "unknown" : version.getString();
    }

    private static String artifactVersion() throws IOException {
        try (InputStream stream = tensorflow.class.getResourceAsStream(ARTIFACT)) {
            var properties = new Properties();
            if (stream != null) {
                properties.load(stream);
            }
            return properties.getProperty("version", "unpackaged");
        }
    }
}
