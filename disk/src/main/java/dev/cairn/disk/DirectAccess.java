package dev.cairn.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Access to files past the system's cache (`O_DIRECT`), as far as the JDK and the file system support it.
final class DirectAccess {
    /// The size of a cache page. No page holds both cached and direct bytes.
    private static final long LEAST_BLOCK = 4096;

    /// The JDK's option for direct access. It is not in a standard API, and compilers warn about its name, so it is
    /// looked up at run time.
    private static final Optional<OpenOption> OPTION = find();

    private DirectAccess() {}

    /// The option to open a file with; empty if the JDK has none.
    static Optional<OpenOption> option() {
        return OPTION;
    }

    /// Offsets, sizes and addresses of direct reads and writes are multiples of this.
    static long block(Path path) throws IOException {
        return Math.max(LEAST_BLOCK, Files.getFileStore(path).getBlockSize());
    }

    private static Optional<OpenOption> find() {
        try {
            return Stream.of(
                            Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException anotherJdk) {
            return Optional.empty();
        }
    }
}
