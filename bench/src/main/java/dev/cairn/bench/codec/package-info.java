/// `cairn bench codec`: sizes, errors and speeds of codecs.
@NullMarked
package dev.cairn.bench.codec;

import org.jspecify.annotations.NullMarked;
