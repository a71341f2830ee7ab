@NullMarked
package dev.cairn.store.retention;

import org.jspecify.annotations.NullMarked;
