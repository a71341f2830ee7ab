/// What all commands share: common options, exit codes, errors in one line, progress on the terminal.
@NullMarked
package dev.cairn.app.console;

import org.jspecify.annotations.NullMarked;
