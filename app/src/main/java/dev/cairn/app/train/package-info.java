/// The commands that train and score: `train` and `eval`.
@NullMarked
package dev.cairn.app.train;

import org.jspecify.annotations.NullMarked;
