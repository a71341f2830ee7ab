/// Tests of what becomes of names, roles and attributes on the way out and in.
@NullMarked
package dev.cairn.transfer;

import org.jspecify.annotations.NullMarked;
