/// The events of a run as files: written beside the training, bounded in size, and read back without what a later
/// attempt superseded. `docs/EVENTS.md` describes every line.
@NullMarked
package dev.cairn.observe.events;

import org.jspecify.annotations.NullMarked;
