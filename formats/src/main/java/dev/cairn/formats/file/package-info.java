/// What all formats share: named tensors to read and to write, within limits that a hostile file cannot exceed.
@NullMarked
package dev.cairn.formats.file;

import org.jspecify.annotations.NullMarked;
