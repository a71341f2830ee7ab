@NullMarked
package dev.cairn.cluster.member;

import org.jspecify.annotations.NullMarked;
