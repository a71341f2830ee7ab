/// The program `cairn`: one class per command, each a thin shell around the library. Nothing else has a `main`.
@NullMarked
package dev.cairn.app;

import org.jspecify.annotations.NullMarked;
