/// The script `./cairn`, in a project of its own where Maven, and mostly Java too, are small scripts: what it does with
/// builds, signals and paths. That it builds the real project is what `.ci/run` shows.
@NullMarked
package dev.cairn.app.launcher;

import org.jspecify.annotations.NullMarked;
