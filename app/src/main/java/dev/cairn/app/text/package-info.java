/// Output for people and for scripts: tables, lines that fit the terminal, quantities with their units, JSON, drawings.
/// Knows no command.
@NullMarked
package dev.cairn.app.text;

import org.jspecify.annotations.NullMarked;
