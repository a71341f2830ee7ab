/// Files of named tensors that other programs read and write: safetensors, NumPy's npz, PyTorch's pt, TensorFlow's
/// bundle.
///
/// A [dev.cairn.formats.TensorFormat] opens a [dev.cairn.formats.file.TensorFile] and creates a
/// [dev.cairn.formats.file.TensorFileWriter]. Tensors are read and written in pieces whose size the caller chooses, so
/// memory does not grow with the size of tensors. The size of a file's header is limited. Nothing in a file is ever
/// executed. A file that is not valid causes a [dev.cairn.formats.file.FormatException], whatever its bytes are.
/// `docs/FORMATS.md` describes what each format holds.
@NullMarked
package dev.cairn.formats;

import org.jspecify.annotations.NullMarked;
