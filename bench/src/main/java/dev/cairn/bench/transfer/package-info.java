/// `cairn bench export`: exports and imports, compared with plain copies.
@NullMarked
package dev.cairn.bench.transfer;

import org.jspecify.annotations.NullMarked;
