package dev.cairn.observe.tensorboard;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where the event files of a run go: `tensorboard` in the run, which may be in object storage, or a folder of the run
/// below one that several runs share. Each process has a folder in it, `w0`, and one more for each time the run began
/// anew, `w0-2`: TensorBoard
/// takes the files of one folder for one curve.
public sealed interface CurveFolder {
    /// Below the run itself, which is in this folder.
    record InRun(Path run) implements Local {
        @Override
        public Path make() throws IOException {
            if (!Files.isDirectory(run)) {
                throw new NoSuchFileException(run.toString());
            }
            return folder(run, RunFiles.TENSORBOARD.substring(0, RunFiles.TENSORBOARD.length() - 1));
        }
    }

    /// Below this folder, under the name of the run. Another run of the same name gets a number at its end.
    ///
    /// @param identity tells runs of the same name apart
    record Shared(Path folder, String name, String identity) implements Local {
        private static final String OWNER = ".cairn-run";
        private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9._-]|^\\.");
        private static final int MOST_RUNS = 10_000;

        @Override
        public Path make() throws IOException {
            Files.createDirectories(folder);
            String plain = name.isEmpty() ? "run" : STRANGE.matcher(name).replaceAll("_");
            for (int number = 1; number <= MOST_RUNS; number++) {
                Path found = CurveFolder.folder(folder, number == 1 ? plain : plain + "-" + number);
                Path owner = found.resolve(OWNER);
                try {
                    Files.writeString(owner, identity, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    return found;
                } catch (FileAlreadyExistsException owned) {
                    if (Files.readString(owner).equals(identity)) {
                        return found;
                    }
                }
            }
            throw new FileAlreadyExistsException(folder.resolve(plain).toString());
        }
    }

    /// In the run itself, which is in object storage.
    record InStorage(BlobStore run) implements CurveFolder {}

    /// In a folder of this machine.
    sealed interface Local extends CurveFolder permits InRun, Shared {
        /// Returns the folder of the run. Creates it if it is absent.
        Path make() throws IOException;

        /// Returns the folder of a process. Creates it if it is absent.
        ///
        /// @param anew whether the run begins anew, so that its curves must not go on in those that are there
        default Path of(String process, boolean anew) throws IOException {
            Path run = make();
            int last = Math.max(1, CurveFolder.last(run, process));
            for (int number = anew && CurveFolder.last(run, process) > 0 ? last + 1 : last; ; number++) {
                Path folder = run.resolve(number == 1 ? process : process + "-" + number);
                try {
                    Files.createDirectory(folder);
                    return folder;
                } catch (FileAlreadyExistsException there) {
                    if (!anew && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                        return folder;
                    }
                    // Something else is in the way, or another process began anew.
                }
            }
        }
    }

    /// The highest number of a folder of this process; 0 if there is none.
    private static int last(Path run, String process) throws IOException {
        Pattern form = Pattern.compile(Pattern.quote(process) + "(?:-([0-9]{1,6}))?");
        int last = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(run)) {
            for (Path folder : folders) {
                Matcher name = form.matcher(String.valueOf(folder.getFileName()));
                if (name.matches()) {
                    last = Math.max(last, name.group(1) == null ? 1 : Integer.parseInt(name.group(1)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return last;
    }

    private static Path folder(Path parent, String name) throws IOException {
        Path folder = parent.resolve(name);
        if (Files.isSymbolicLink(folder)) {
            throw new FileSystemException(folder.toString(), null, "a symbolic link is not followed here; remove it");
        }
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException there) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw there;
            }
        }
        return folder;
    }
}
