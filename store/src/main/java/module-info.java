/// The checkpoints of a run on storage. Users of the library see what checkpoints consist of, where they can be
/// stored, how they are read, and which of them are kept. How they are written is internal to Cairn.
module dev.cairn.store {
    requires transitive dev.cairn.codec;
    requires dev.cairn.disk;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    uses dev.cairn.store.location.StorageProvider;

    exports dev.cairn.store;
    exports dev.cairn.store.blob;
    exports dev.cairn.store.location;
    exports dev.cairn.store.log;
    exports dev.cairn.store.reading;
    exports dev.cairn.store.retention;
    exports dev.cairn.store.right;
    exports dev.cairn.store.check to
            dev.cairn.checkpoint;
    exports dev.cairn.store.repair to
            dev.cairn.checkpoint;
    exports dev.cairn.store.scrub to
            dev.cairn.checkpoint;
    exports dev.cairn.store.segment to
            dev.cairn.checkpoint,
            dev.cairn.transfer;
    exports dev.cairn.store.spare to
            dev.cairn.checkpoint;
    exports dev.cairn.store.writing to
            dev.cairn.checkpoint,
            dev.cairn.transfer;
}
