/// What pages are told, as JSON. Numbers are numbers and texts are texts: pages put both into words, and escape them.
@NullMarked
package dev.cairn.dashboard.document;

import org.jspecify.annotations.NullMarked;
