@NullMarked
package dev.cairn.train.batch;

import org.jspecify.annotations.NullMarked;
