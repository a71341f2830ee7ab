@NullMarked
package dev.cairn.cluster.agent;

import org.jspecify.annotations.NullMarked;
