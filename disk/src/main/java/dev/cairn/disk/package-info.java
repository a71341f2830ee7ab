/// Writes large files to disk durably, at the speed of the disk and with little work for the processor.
@NullMarked
package dev.cairn.disk;

import org.jspecify.annotations.NullMarked;
