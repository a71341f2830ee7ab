/// The command `demo`: a training that is killed and resumed.
@NullMarked
package dev.cairn.app.demo;

import org.jspecify.annotations.NullMarked;
