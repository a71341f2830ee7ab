@NullMarked
package dev.cairn.app.notice;

import org.jspecify.annotations.NullMarked;
