/// Exports checkpoints to files of other programs, and imports such files as checkpoints.
module dev.cairn.transfer {
    requires transitive dev.cairn.store;
    requires transitive dev.cairn.formats;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.cairn.transfer;
}
