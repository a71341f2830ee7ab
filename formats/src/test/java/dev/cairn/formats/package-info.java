@NullMarked
package dev.cairn.formats;

import org.jspecify.annotations.NullMarked;
