/// `cairn bench observe`: what it costs a training to be recorded and watched.
@NullMarked
package dev.cairn.bench.observe;

import org.jspecify.annotations.NullMarked;
