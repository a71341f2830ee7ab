/// Writes large files to disk, durably and at the speed of the disk. For Cairn's own modules.
module dev.cairn.disk {
    requires static transitive org.jspecify;

    exports dev.cairn.disk;
}
