@NullMarked
package dev.cairn.train.job;

import org.jspecify.annotations.NullMarked;
