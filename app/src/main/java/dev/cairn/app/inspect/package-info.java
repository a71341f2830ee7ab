/// The commands that only read a run: `ls`, `show`, `diff` and `verify`.
@NullMarked
package dev.cairn.app.inspect;

import org.jspecify.annotations.NullMarked;
