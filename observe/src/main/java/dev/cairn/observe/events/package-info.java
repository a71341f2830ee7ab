/// Writes the events of a run to files during the training, limits their size, and reads them without the events
/// that a later attempt superseded. `docs/EVENTS.md` describes every line.
@NullMarked
package dev.cairn.observe.events;

import org.jspecify.annotations.NullMarked;
