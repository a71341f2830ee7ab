/// The commands that look and change nothing: `ls`, `show`, `diff` and `verify`.
@NullMarked
package dev.cairn.app.inspect;

import org.jspecify.annotations.NullMarked;
