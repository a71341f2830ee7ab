/// What all commands share with the terminal: options of every command, exit codes, errors as one line, progress.
@NullMarked
package dev.cairn.app.console;

import org.jspecify.annotations.NullMarked;
