/// Scrubbing: the files of a run are read from the storage again, before anything needs them. What is damaged and heals
/// is rewritten in its place, bit for bit. `scrub.json` says when each file was last checked.
@NullMarked
package dev.cairn.store.scrub;

import org.jspecify.annotations.NullMarked;
