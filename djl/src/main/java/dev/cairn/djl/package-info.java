/// The hook for DJL: a listener that checkpoints a user's trainer, on whatever engine of DJL it runs. It knows DJL's
/// interface only, and no engine of Cairn's: each brings a libtorch of its own.
@NullMarked
package dev.cairn.djl;

import org.jspecify.annotations.NullMarked;
