/// The hook for DJL: a listener that checkpoints a user's trainer on any engine of DJL. It uses only the interface of
/// DJL and no engine of Cairn, because each engine brings its own libtorch.
@NullMarked
package dev.cairn.djl;

import org.jspecify.annotations.NullMarked;
