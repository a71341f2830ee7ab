@NullMarked
package dev.cairn.sidecar;

import org.jspecify.annotations.NullMarked;
