/// The chain that the next delta would be built on, and every doubt of it. Once there is one, nothing more is built on
/// that chain: the good state is in memory, and a base needs no other checkpoint.
@NullMarked
package dev.cairn.checkpoint.chain;

import org.jspecify.annotations.NullMarked;
