package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/// Who may see a folder besides this machine, as far as the name of its file system tells.
public enum FileSystemKind {
    /// This machine alone: its locks are to be trusted.
    LOCAL,
    /// Perhaps other machines too: everything that is not known to be local.
    SHARED,
    /// A program of its own, that may make up inodes as it likes.
    FUSE;

    private static final Set<String> LOCAL_TYPES = Set.of(
            "apfs",
            "aufs",
            "bcachefs",
            "btrfs",
            "exfat",
            "ext2",
            "ext3",
            "ext4",
            "f2fs",
            "fat32",
            "fuseblk",
            "hfs",
            "jfs",
            "nilfs2",
            "ntfs",
            "ntfs3",
            "overlay",
            "ramfs",
            "refs",
            "reiserfs",
            "tmpfs",
            "udf",
            "ufs",
            "vfat",
            "xfs",
            "zfs");

    /// The kind of the file system that this folder is on.
    public static FileSystemKind of(Path folder) throws IOException {
        return ofType(Files.getFileStore(folder).type());
    }

    /// The kind of this type of file system.
    ///
    /// @param type as the system names it
    public static FileSystemKind ofType(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        if (LOCAL_TYPES.contains(name)) {
            return LOCAL;
        }
        return name.startsWith("fuse") ? FUSE : SHARED;
    }
}
