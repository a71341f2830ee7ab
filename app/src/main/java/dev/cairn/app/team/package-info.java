/// What a training by several workers tells about them: to people, to scripts, and to the events of its run.
@NullMarked
package dev.cairn.app.team;

import org.jspecify.annotations.NullMarked;
