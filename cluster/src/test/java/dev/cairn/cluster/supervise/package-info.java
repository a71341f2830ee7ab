@NullMarked
package dev.cairn.cluster.supervise;

import org.jspecify.annotations.NullMarked;
