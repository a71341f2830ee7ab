/// The entropy coder that all codecs share: bytes in, fewer bytes out.
///
/// Canonical Huffman codes of at most eleven bits ([CodeTable]), four interleaved streams, a decoder that takes up to
/// six symbols from one table lookup. Where zeros are many or keep together, a bit a byte says which bytes are not zero
/// and only those are coded ([SymbolCoder] decides): that goes below one bit a symbol, and on deltas of weights needs
/// fewer bits than an asymmetric numeral system for the bytes as they are. Tables are kept and reused across blocks
/// while that costs less than a new one ([TableSet]).
///
/// ```
/// symbols  := length:varint body                   body has `length` bytes
/// body     := 0 byte*                              as they are
///           | 1 part                               every symbol coded
///           | 2 flagBytes:varint part part         which bytes are not zero, eight to a symbol; then those bytes
/// part     := 255 byte*                            as they are
///           | 254 tableBytes:u8 table coded        a table of its own
///           | index:u8 coded                       a table of the set
/// coded    := nothing, if the table has one symbol and there are no patches
///           | header:u8 size:varint* stream* patch*
/// header   := bit 0: four streams, otherwise one; bit 1: patches follow
/// size     := bytes of each stream; that of the last is left out where no patches follow
/// patch    := gap:varint symbol:u8                 a symbol without a code, so many places after the one before
/// table    := 0 symbol:u8                          the only symbol
///           | 1 byte*                              code lengths, arithmetic-coded, see TableFormat
///           | 2 byte[128]                          code lengths, four bits each, where the former is longer
/// set      := count:u8 (tableBytes:u8 table)*
/// ```
/// Streams are read from the lowest bit of their first byte on, a code's first bit lowest; the last byte is filled up
/// with zeros. Stream k of four has the k-th quarter of the symbols (rounded up; the last one has what remains).
@NullMarked
package dev.cairn.codec.huffman;

import org.jspecify.annotations.NullMarked;
