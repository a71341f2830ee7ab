/// PyTorch's pt: a zip archive of a pickle and its storages. Pickles are read without executing anything.
@NullMarked
package dev.cairn.formats.pt;

import org.jspecify.annotations.NullMarked;
