/// The commands that compute: `plan`, `simulate` and `recovery-line`.
@NullMarked
package dev.cairn.app.plan;

import org.jspecify.annotations.NullMarked;
