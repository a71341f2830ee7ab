/// Zip archives as npz and pt use them: entries are stored or deflated, read in any order, and written from front to
/// back.
@NullMarked
package dev.cairn.formats.zip;

import org.jspecify.annotations.NullMarked;
