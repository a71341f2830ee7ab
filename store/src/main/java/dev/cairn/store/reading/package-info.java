/// Values of checkpoints, read through their chains: block by block, straight into the target, every byte checked
/// before it is used. Needs no lock and changes nothing.
@NullMarked
package dev.cairn.store.reading;

import org.jspecify.annotations.NullMarked;
