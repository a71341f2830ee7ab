/// How `train` hears that it must stop: signals, files, commands, addresses, deadlines; and how it then ends.
@NullMarked
package dev.cairn.app.notice;

import org.jspecify.annotations.NullMarked;
