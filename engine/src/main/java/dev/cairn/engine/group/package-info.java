/// What a training needs from a framework so that several processes can train together: a group of processes that adds
/// up numbers and passes bytes on.
@NullMarked
package dev.cairn.engine.group;

import org.jspecify.annotations.NullMarked;
