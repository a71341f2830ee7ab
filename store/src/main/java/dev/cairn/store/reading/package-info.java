/// Reads the values of checkpoints through their chains: block by block, straight into the target. Every byte is
/// checked before it is used. Reading needs no lock and changes nothing.
@NullMarked
package dev.cairn.store.reading;

import org.jspecify.annotations.NullMarked;
