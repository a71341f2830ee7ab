@NullMarked
package dev.cairn.cluster.launch;

import org.jspecify.annotations.NullMarked;
