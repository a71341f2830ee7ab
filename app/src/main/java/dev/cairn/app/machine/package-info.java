/// The commands about this machine: `doctor`, `bench` and `completion`.
@NullMarked
package dev.cairn.app.machine;

import org.jspecify.annotations.NullMarked;
