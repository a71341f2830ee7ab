/// The progress of a training as people see it: in one line that fits their terminal.
@NullMarked
package dev.cairn.app.progress;

import org.jspecify.annotations.NullMarked;
