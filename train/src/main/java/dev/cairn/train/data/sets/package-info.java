/// Data sets by name.
@NullMarked
package dev.cairn.train.data.sets;

import org.jspecify.annotations.NullMarked;
