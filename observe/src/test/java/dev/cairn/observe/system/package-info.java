@NullMarked
package dev.cairn.observe.system;

import org.jspecify.annotations.NullMarked;
