@NullMarked
package dev.cairn.checkpoint.group;

import org.jspecify.annotations.NullMarked;
