/// `cairn bench export`: exports and imports beside plain copies.
@NullMarked
package dev.cairn.bench.transfer;

import org.jspecify.annotations.NullMarked;
