package dev.cairn.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Makes the calling thread treat subnormal numbers as zero, in operands and results, until this object is closed.
/// `torch.set_flush_denormal` does the same to a training thread, and some native libraries to any thread that loads
/// them.
public final class FlushToZero implements AutoCloseable {
    /// The C library's `fenv_t` on x86-64: the x87 environment, then MXCSR.
    private static final int ENVIRONMENT_BYTES = 32;

    private static final int MXCSR = 28;
    private static final int FLUSH_RESULTS = 1 << 15;
    private static final int FLUSH_OPERANDS = 1 << 6;

    // Volatile, because the compiler computes constants in its own mode.
    private static volatile float smallestNormal = Float.MIN_NORMAL;
    private static volatile float smallest = Float.MIN_VALUE;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment before = arena.allocate(ENVIRONMENT_BYTES, 8);

    private FlushToZero() {
        call(Functions.GET, before);
        MemorySegment flushing = arena.allocate(ENVIRONMENT_BYTES, 8).copyFrom(before);
        int control = flushing.get(ValueLayout.JAVA_INT, MXCSR);
        flushing.set(ValueLayout.JAVA_INT, MXCSR, control | FLUSH_RESULTS | FLUSH_OPERANDS);
        call(Functions.SET, flushing);
    }

    /// Skips the test if threads cannot be made to flush.
    public static void assumeSupported() {
        assumeTrue(
                System.getProperty("os.arch").equals("amd64")
                        && System.getProperty("os.name").equals("Linux")
                        && Linker.nativeLinker()
                                .defaultLookup()
                                .find("fesetenv")
                                .isPresent(),
                "flush-to-zero is set through MXCSR and the C library of Linux on x86-64: not here");
    }

    /// Sets both flags, and fails if the thread still computes with subnormal numbers.
    public static FlushToZero on() {
        var mode = new FlushToZero();
        assertThat(isOn()).as("the thread flushes subnormal numbers").isTrue();
        return mode;
    }

    /// Whether the calling thread flushes, judging by what it computes.
    public static boolean isOn() {
        boolean results = Float.floatToRawIntBits(smallestNormal * 0.5f) == 0;
        boolean operands = Float.floatToRawIntBits(smallest * 1e30f) == 0;
        return results && operands;
    }

    @Override
    public void close() {
        call(Functions.SET, before);
        arena.close();
    }

    /// The C library's functions, looked up once, and only if they exist.
    private static final class Functions {
        static final MethodHandle GET = function("fegetenv");
        static final MethodHandle SET = function("fesetenv");

        private static MethodHandle function(String name) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        }
    }

    private static void call(MethodHandle function, MemorySegment environment) {
        try {
            if ((int) function.invokeExact(environment) != 0) {
                throw new IllegalStateException("the floating-point environment is out of reach");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
