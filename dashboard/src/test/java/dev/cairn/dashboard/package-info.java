@NullMarked
package dev.cairn.dashboard;

import org.jspecify.annotations.NullMarked;
