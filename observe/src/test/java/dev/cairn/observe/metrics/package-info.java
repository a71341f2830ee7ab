@NullMarked
package dev.cairn.observe.metrics;

import org.jspecify.annotations.NullMarked;
