package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/// Which machines may see a folder, judged by the name of its file system.
public enum FileSystemKind {
    /// Only this machine: its locks can be trusted.
    LOCAL,
    /// Perhaps other machines too: every file system that is not known to be local.
    SHARED,
    /// A user-space program, which may report any inode numbers.
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

    /// The kind of the file system of this folder.
    public static FileSystemKind of(Path folder) throws IOException {
        return ofType(Files.getFileStore(folder).type());
    }

    /// The kind of this type of file system.
    ///
    /// @param type the system's name for it
    public static FileSystemKind ofType(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        if (LOCAL_TYPES.contains(name)) {
            return LOCAL;
        }
        return name.startsWith("fuse") ? FUSE : SHARED;
    }
}
