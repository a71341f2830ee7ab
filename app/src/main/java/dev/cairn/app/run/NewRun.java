package dev.cairn.app.run;

import dev.cairn.app.files.HalfMade;
import dev.cairn.disk.Folders;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.right.WriterLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A run that is made beside its place, in a folder `.NAME.*.part`, and appears there whole or never. Of several that
/// are made for one place the first has it; the others leave it alone and disappear.
public final class NewRun implements AutoCloseable {
    private static final Pattern PART = Pattern.compile("\\..*\\.[0-9a-f]{8}\\.part");

    private final Path run;
    private final Path parent;
    private final HalfMade half;

    private NewRun(Path run, Path parent, Path part) {
        this.run = run;
        this.parent = parent;
        this.half = new HalfMade(part);
    }

    /// A run to be made for this place, where nothing is yet.
    public static NewRun at(Path place) throws IOException {
        Path run = place.toAbsolutePath().normalize();
        Path parent = Objects.requireNonNull(run.getParent(), "the root is always there");
        String name =
                "%s%08x.part".formatted(prefix(run), ThreadLocalRandom.current().nextInt());
        var made = new NewRun(run, parent, parent.resolve(name));
        LocalBlobStore.createFolder(made.folder());
        return made;
    }

    /// Whether this is a folder of a run that is being made, or whose maker was killed.
    static boolean isPart(Path folder) {
        return PART.matcher(String.valueOf(folder.getFileName())).matches();
    }

    /// Where it is made.
    public Path folder() {
        return half.path();
    }

    /// Gives it its place, durably. Nobody may be writing into it.
    ///
    /// @throws FileAlreadyExistsException where somebody else has the place
    public void appear() throws IOException {
        try {
            half.finish(() -> Files.move(folder(), run));
        } catch (FileSystemException e) {
            if (Files.exists(run, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(run.toString(), null, "made by somebody else meanwhile");
            }
            throw e;
        }
        try (FileChannel entries = FileChannel.open(parent)) {
            entries.force(true);
        }
        removeOthers();
    }

    /// What makers that were killed left: nobody holds its lock.
    private void removeOthers() throws IOException {
        List<Path> parts;
        try (Stream<Path> files = Files.list(parent)) {
            parts = files.filter(NewRun::isPart)
                    .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix(run)))
                    .filter(folder -> Files.exists(folder.resolve(RunFiles.LOCK)))
                    .toList();
        }
        for (Path part : parts) {
            try (var _ = WriterLock.take(part, Instant.now())) {
                Folders.delete(part);
            } catch (IOException inUse) {
                // Its maker removes it.
            }
        }
    }

    private static String prefix(Path run) {
        return "." + run.getFileName() + ".";
    }

    @Override
    public void close() {
        half.close();
    }
}
