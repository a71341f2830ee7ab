/// Networks, factorizations and their optimizers on libtorch, through JavaCPP. This is the only package that knows
/// libtorch. It exposes the live tensors as memory segments and hides the rest.
@NullMarked
package dev.cairn.torch;

import org.jspecify.annotations.NullMarked;
