@NullMarked
package dev.cairn.djl;

import org.jspecify.annotations.NullMarked;
