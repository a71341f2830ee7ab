/// Compares the engine's arithmetic with float64, tests its guarantees, and compares TensorFlow's own reader and writer
/// with Cairn's.
@org.jspecify.annotations.NullMarked
package dev.cairn.tensorflow;
