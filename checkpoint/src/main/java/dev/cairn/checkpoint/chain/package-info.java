/// The chain that the next delta would be built on, and whether it is in doubt. Once it is in doubt, nothing more is
/// built on it: the good state is in memory, and a base needs no other checkpoint.
@NullMarked
package dev.cairn.checkpoint.chain;

import org.jspecify.annotations.NullMarked;
