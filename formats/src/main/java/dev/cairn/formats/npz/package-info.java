/// NumPy's npz: a zip archive of arrays.
@NullMarked
package dev.cairn.formats.npz;

import org.jspecify.annotations.NullMarked;
