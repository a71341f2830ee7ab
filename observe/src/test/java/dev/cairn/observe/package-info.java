@NullMarked
package dev.cairn.observe;

import org.jspecify.annotations.NullMarked;
