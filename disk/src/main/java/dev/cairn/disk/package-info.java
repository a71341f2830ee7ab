/// How large files get to a disk, durably, at its speed, with little work for the processor.
@NullMarked
package dev.cairn.disk;

import org.jspecify.annotations.NullMarked;
