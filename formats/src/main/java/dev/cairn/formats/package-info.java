/// Files of named tensors that other programs read and write: safetensors, NumPy's npz, PyTorch's pt, TensorFlow's
/// bundle.
///
/// A [dev.cairn.formats.TensorFormat] opens a [dev.cairn.formats.file.TensorFile] and creates a
/// [dev.cairn.formats.file.TensorFileWriter]. Tensors come and go in pieces of the caller's size, so memory does not
/// grow with theirs; what a file says of itself, its header, is bounded. Nothing in a file is ever executed, and a file
/// that is not what it should be is a [dev.cairn.formats.file.FormatException], whatever its bytes. `docs/FORMATS.md`
/// has what each format holds.
@NullMarked
package dev.cairn.formats;

import org.jspecify.annotations.NullMarked;
