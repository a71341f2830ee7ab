@NullMarked
package dev.cairn.dashboard.story;

import org.jspecify.annotations.NullMarked;
