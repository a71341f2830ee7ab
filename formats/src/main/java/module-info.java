/// Files of tensors of other programs: safetensors, npz, PyTorch's pt, TensorFlow's bundle.
module dev.cairn.formats {
    requires transitive dev.cairn.codec;
    requires dev.cairn.disk;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.cairn.formats;
    exports dev.cairn.formats.file;
    exports dev.cairn.formats.pt;
}
