/// The commands that convert checkpoints to files of other programs and back: `export` and `import`.
@NullMarked
package dev.cairn.app.transfer;

import org.jspecify.annotations.NullMarked;
