/// `cairn bench`: what this build costs on this machine, against `memcpy` and general compressors in the same run.
@NullMarked
package dev.cairn.app.bench;

import org.jspecify.annotations.NullMarked;
