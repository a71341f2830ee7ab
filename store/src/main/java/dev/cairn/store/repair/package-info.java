/// Repairs a damaged run: moves damaged files to quarantine, and rewrites readable checkpoints so that they need
/// nothing that is damaged. Nothing is deleted.
@NullMarked
package dev.cairn.store.repair;

import org.jspecify.annotations.NullMarked;
