/// One save at a time, from the captured state to its commit or failure, and the decision when saves are due.
@NullMarked
package dev.cairn.checkpoint.save;

import org.jspecify.annotations.NullMarked;
