package dev.cairn.store.location;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The location of a run, which may not exist yet. `toString` is the form that people write and read.
///
/// ```java
/// try (Checkpoints checkpoints = Checkpoints.open(RunLocation.parse("s3://bucket/runs/first"), options)) { … }
/// ```
public sealed interface RunLocation {
    /// Parses a folder's path (`runs/first`), or a URI: `s3://bucket/runs/first`, `file:///home/me/runs/first`.
    ///
    /// A name with a colon is a folder, unless it starts with the scheme of a storage; `./s3:first` is always a
    /// folder.
    ///
    /// @throws IllegalArgumentException if the text is neither; the message says what to write instead
    static RunLocation parse(String text) {
        return LocationText.parse(text);
    }

    /// The last part of the location, which is the name of the run.
    String name();

    /// The same location with all links resolved, so that locations of the same run are equal.
    RunLocation real() throws IOException;

    /// Whether both are the same run.
    boolean isSameAs(RunLocation other) throws IOException;

    /// Whether this run would be inside the other, so that their files would mix.
    boolean isInside(RunLocation other) throws IOException;

    /// Opens the blobs of the run. Nothing is read or created yet.
    ///
    /// The caller must close the storage if it is [AutoCloseable].
    ///
    /// @param settings for storage that is found by its scheme; a folder needs none
    /// @throws UnknownSchemeException if no storage for the scheme is on the class path
    /// @throws IllegalArgumentException if the storage cannot have a run there, or refuses a setting
    BlobStore blobs(StorageSettings settings);

    /// Opens the blobs of the run, with the settings from the environment.
    default BlobStore blobs() {
        return blobs(StorageSettings.none());
    }

    /// A folder of a file system.
    record Folder(Path path) implements RunLocation {
        @Override
        public String name() {
            Path absolute = path.toAbsolutePath().normalize();
            Path last = absolute.getFileName();
            return last == null ? absolute.toString() : last.toString();
        }

        /// Resolves links in the part of the path that exists; the rest is added unchanged.
        @Override
        public Folder real() throws IOException {
            Path absolute = path.toAbsolutePath().normalize();
            for (Path there = absolute; there != null; there = there.getParent()) {
                if (Files.exists(there)) {
                    return new Folder(there.toRealPath()
                            .resolve(there.relativize(absolute))
                            .normalize());
                }
            }
            return new Folder(absolute);
        }

        @Override
        public boolean isSameAs(RunLocation other) throws IOException {
            if (!(other instanceof Folder(Path second))) {
                return false;
            }
            boolean there = Files.exists(path) && Files.exists(second);
            return there ? Files.isSameFile(path, second) : real().equals(other.real());
        }

        @Override
        public boolean isInside(RunLocation other) throws IOException {
            return other instanceof Folder folder
                    && !isSameAs(folder)
                    && real().path().startsWith(folder.real().path());
        }

        @Override
        public BlobStore blobs(StorageSettings settings) {
            return new LocalBlobStore(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /// A location in storage that is found by the scheme of the URI.
    record Remote(URI uri) implements RunLocation {
        /// Accepts a URI with a scheme, an authority and a path.
        ///
        /// @throws IllegalArgumentException if the URI does not consist of a scheme, an authority and a path
        public Remote {
            if (uri.getScheme() == null || uri.isOpaque() || uri.getQuery() != null || uri.getFragment() != null) {
                throw new IllegalArgumentException("'%s' is not of the form scheme://place".formatted(uri));
            }
        }

        /// The scheme in lower case, such as `s3`.
        public String scheme() {
            return uri.getScheme().toLowerCase(Locale.ROOT);
        }

        @Override
        public String name() {
            String text = toString();
            return text.substring(text.lastIndexOf('/') + 1);
        }

        @Override
        public Remote real() {
            return this;
        }

        @Override
        public boolean isSameAs(RunLocation other) {
            return equals(other);
        }

        @Override
        public boolean isInside(RunLocation other) {
            return other instanceof Remote && toString().startsWith(other + "/");
        }

        @Override
        public BlobStore blobs(StorageSettings settings) {
            return StorageProviders.of(scheme()).open(this, settings);
        }

        /// The URI as people write it, without escapes.
        @Override
        public String toString() {
            return "%s://%s%s".formatted(scheme(), uri.getAuthority() == null ? "" : uri.getAuthority(), uri.getPath());
        }
    }
}
