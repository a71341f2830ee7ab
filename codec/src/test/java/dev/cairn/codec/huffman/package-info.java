@NullMarked
package dev.cairn.codec.huffman;

import org.jspecify.annotations.NullMarked;
