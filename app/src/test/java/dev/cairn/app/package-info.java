@NullMarked
package dev.cairn.app;

import org.jspecify.annotations.NullMarked;
