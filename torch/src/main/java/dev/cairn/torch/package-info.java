/// Networks, factorizations and their optimizers on libtorch, through JavaCPP. The only package that knows
/// libtorch: it shows the live
/// tensors as memory segments and hides the rest.
@NullMarked
package dev.cairn.torch;

import org.jspecify.annotations.NullMarked;
