package dev.cairn.app.run;

import dev.cairn.app.files.HalfMade;
import dev.cairn.disk.Folders;
import dev.cairn.store.Clock;
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A new run that appears at its place complete or not at all. It is created next to its place, in a folder
/// `.NAME.*.part`. If several are created for the same place, the first one gets it, and the others are deleted.
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

    /// Starts a run for this place, which must not exist yet.
    public static NewRun at(Path place) throws IOException {
        Path run = place.toAbsolutePath().normalize();
        Path parent = Objects.requireNonNull(run.getParent(), "the root always exists");
        String name =
                "%s%08x.part".formatted(prefix(run), ThreadLocalRandom.current().nextInt());
        var made = new NewRun(run, parent, parent.resolve(name));
        LocalBlobStore.createFolder(made.folder());
        return made;
    }

    /// Whether this is the folder of a run that is being created, or whose creator was killed.
    static boolean isPart(Path folder) {
        return PART.matcher(String.valueOf(folder.getFileName())).matches();
    }

    /// The folder in which the run is created.
    public Path folder() {
        return half.path();
    }

    /// Moves the run to its place, durably. Nothing may write to the run at that time.
    ///
    /// @throws FileAlreadyExistsException if the place is already taken
    public void appear() throws IOException {
        try {
            half.finish(() -> Files.move(folder(), run));
        } catch (FileSystemException e) {
            if (Files.exists(run, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(
                        run.toString(), null, "created by another program in the meantime");
            }
            throw e;
        }
        try (FileChannel entries = FileChannel.open(parent)) {
            entries.force(true);
        }
        removeOthers();
    }

    /// Deletes the leftovers of creators that were killed: nobody holds their locks.
    private void removeOthers() throws IOException {
        List<Path> parts;
        try (Stream<Path> files = Files.list(parent)) {
            parts = files.filter(NewRun::isPart)
                    .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix(run)))
                    .filter(folder -> Files.exists(folder.resolve(RunFiles.LOCK)))
                    .toList();
        }
        for (Path part : parts) {
            try (var _ = WriterLock.take(part, Clock.system().now())) {
                Folders.delete(part);
            } catch (IOException inUse) {
                // Its creator deletes it.
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
