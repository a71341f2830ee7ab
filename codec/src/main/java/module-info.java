/// Encodes blocks of tensors as bytes and decodes them. Users see the element types; the codecs themselves are for
/// Cairn's own modules.
module dev.cairn.codec {
    requires static jdk.incubator.vector;
    requires static transitive org.jspecify;

    exports dev.cairn.codec;
    exports dev.cairn.codec.block to
            dev.cairn.store,
            dev.cairn.checkpoint,
            dev.cairn.transfer;
    exports dev.cairn.codec.huffman to
            dev.cairn.store,
            dev.cairn.checkpoint,
            dev.cairn.transfer;
    exports dev.cairn.codec.lossless to
            dev.cairn.store,
            dev.cairn.checkpoint;
    exports dev.cairn.codec.lossy to
            dev.cairn.store,
            dev.cairn.checkpoint;
    exports dev.cairn.codec.lossy.kernel to
            dev.cairn.checkpoint;
    exports dev.cairn.codec.parity to
            dev.cairn.store;
    exports dev.cairn.codec.pattern to
            dev.cairn.checkpoint;
    exports dev.cairn.codec.sparse to
            dev.cairn.checkpoint;
}
