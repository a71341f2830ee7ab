/// The engine's arithmetic beside float64, its promises, and TensorFlow's own reader and writer beside ours.
@org.jspecify.annotations.NullMarked
package dev.cairn.tensorflow;
