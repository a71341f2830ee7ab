@NullMarked
package dev.cairn.observe.events;

import org.jspecify.annotations.NullMarked;
