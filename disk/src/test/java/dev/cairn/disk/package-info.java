@NullMarked
package dev.cairn.disk;

import org.jspecify.annotations.NullMarked;
