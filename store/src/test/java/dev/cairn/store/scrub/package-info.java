@NullMarked
package dev.cairn.store.scrub;

import org.jspecify.annotations.NullMarked;
