/// Files that a command writes completely or not at all.
@NullMarked
package dev.cairn.app.files;

import org.jspecify.annotations.NullMarked;
