/// What happened in a run, as its recorded events and figures tell it. Files that did not change are read once.
@NullMarked
package dev.cairn.dashboard.story;

import org.jspecify.annotations.NullMarked;
