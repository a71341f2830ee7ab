@NullMarked
package dev.cairn.train.steps;

import org.jspecify.annotations.NullMarked;
