@NullMarked
package dev.cairn.store;

import org.jspecify.annotations.NullMarked;
