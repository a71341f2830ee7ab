/// TensorFlow's bundle: an index, which is a sorted table of keys and values, and data files.
@NullMarked
package dev.cairn.formats.bundle;

import org.jspecify.annotations.NullMarked;
