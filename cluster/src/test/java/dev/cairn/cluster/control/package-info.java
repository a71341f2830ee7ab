@NullMarked
package dev.cairn.cluster.control;

import org.jspecify.annotations.NullMarked;
