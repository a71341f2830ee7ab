/// Files of a command: written whole or not at all.
@NullMarked
package dev.cairn.app.files;

import org.jspecify.annotations.NullMarked;
