/// How a machine and the processes of a training are used while it runs: CPU, memory, disk and network, about every
/// second, written to files in the run, and read back. `docs/SYSTEM.md` describes every line.
@NullMarked
package dev.cairn.observe.system;

import org.jspecify.annotations.NullMarked;
