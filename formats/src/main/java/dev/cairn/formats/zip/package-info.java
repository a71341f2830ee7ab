/// Zip archives as npz and pt files are: entries that are stored or deflated, read from anywhere, written from front to
/// back.
@NullMarked
package dev.cairn.formats.zip;

import org.jspecify.annotations.NullMarked;
