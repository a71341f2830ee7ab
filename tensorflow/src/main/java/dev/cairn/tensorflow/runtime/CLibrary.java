package dev.cairn.tensorflow.runtime;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;

/// Access to properties of the process that native code sees and Java cannot change by itself.
final class CLibrary {
    private static final int STANDARD_ERROR = 2;

    private CLibrary() {}

    /// Sets a variable in the environment of the C library, which native code reads. Java has a copy of its own.
    static void setEnvironmentUnlessSet(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            call(
                    "setenv",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
                    arena.allocateFrom(name),
                    arena.allocateFrom(value),
                    0);
        }
    }

    /// Returns what the whole process writes to standard error while the action runs, instead of writing it.
    static String withErrorsKept(Runnable action) throws IOException {
        FunctionDescriptor one = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
        FunctionDescriptor two = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int kept = call(
                    "memfd_create",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    arena.allocateFrom("standard-error"),
                    0);
            int before = call("dup", one, STANDARD_ERROR);
            try {
                call("dup2", two, kept, STANDARD_ERROR);
                action.run();
            } finally {
                call("dup2", two, before, STANDARD_ERROR);
                call("close", one, before);
            }
            String said = Files.readString(Path.of("/proc/self/fd/" + kept));
            call("close", one, kept);
            return said;
        }
    }

    private static int call(String function, FunctionDescriptor type, Object... arguments) {
        Linker linker = Linker.nativeLinker();
        try {
            return (int) linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type)
                    .invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("native call " + function + " failed", e);
        }
    }
}
