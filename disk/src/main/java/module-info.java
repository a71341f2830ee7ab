/// How large files get to a disk, at its speed and durably. For Cairn's own modules.
module dev.cairn.disk {
    requires static transitive org.jspecify;

    exports dev.cairn.disk;
}
