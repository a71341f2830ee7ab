/// One save at a time, from what was captured to its commit or failure, and when saves are due.
@NullMarked
package dev.cairn.checkpoint.save;

import org.jspecify.annotations.NullMarked;
