/// Safetensors: a JSON header, then the tensors.
@NullMarked
package dev.cairn.formats.safetensors;

import org.jspecify.annotations.NullMarked;
