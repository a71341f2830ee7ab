@NullMarked
package dev.cairn.jmh;

import org.jspecify.annotations.NullMarked;
