@NullMarked
package dev.cairn.bench;

import org.jspecify.annotations.NullMarked;
