/// Trainings on storage that fails and processes that die, without an engine.
@NullMarked
package dev.cairn.s3.crash;

import org.jspecify.annotations.NullMarked;
