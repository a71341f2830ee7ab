/// Files that a training writes beside its work: lines that are appended in a folder and come in parts in object
/// storage, never take more than a stated size, and stop nothing if they cannot be written.
@NullMarked
package dev.cairn.observe.recording;

import org.jspecify.annotations.NullMarked;
