/// TensorFlow's bundle: an index of names, which is a sorted table of key and value, and data files.
@NullMarked
package dev.cairn.formats.bundle;

import org.jspecify.annotations.NullMarked;
