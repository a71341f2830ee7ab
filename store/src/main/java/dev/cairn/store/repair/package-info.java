/// Makes a damaged run whole: moves what is damaged to a quarantine, and rewrites what still reads so that it needs
/// nothing that is damaged. Nothing is deleted.
@NullMarked
package dev.cairn.store.repair;

import org.jspecify.annotations.NullMarked;
