package dev.cairn.checkpoint.crash.fault;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/// How one of several hosts sees a shared file system.
///
/// @param type the name of the file system; empty for the real one
/// @param inodes added to the inode of every file, as on a host with its own inode numbers
public record HostView(String type, long inodes) {
    static final HostView OWN = new HostView("", 0);

    FileStore of(FileStore real) {
        return type.isEmpty() ? real : new Named(type, real);
    }

    private static final class Named extends FileStore {
        private final String type;
        private final FileStore real;

        Named(String type, FileStore real) {
            this.type = type;
            this.real = real;
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public String type() {
            return type;
        }

        @Override
        public boolean isReadOnly() {
            return real.isReadOnly();
        }

        @Override
        public long getTotalSpace() throws IOException {
            return real.getTotalSpace();
        }

        @Override
        public long getUsableSpace() throws IOException {
            return real.getUsableSpace();
        }

        @Override
        public long getUnallocatedSpace() throws IOException {
            return real.getUnallocatedSpace();
        }

        @Override
        public boolean supportsFileAttributeView(Class<? extends FileAttributeView> view) {
            return real.supportsFileAttributeView(view);
        }

        @Override
        public boolean supportsFileAttributeView(String view) {
            return real.supportsFileAttributeView(view);
        }

        @Override
        public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> view) {
            return real.getFileStoreAttributeView(view);
        }

        @Override
        public Object getAttribute(String attribute) throws IOException {
            return real.getAttribute(attribute);
        }
    }
}
