/// The entropy coder that all codecs share: bytes in, fewer bytes out.
///
/// It uses canonical Huffman codes of at most eleven bits ([CodeTable]), four interleaved streams, and a decoder that
/// gets up to six symbols from one table lookup. If zeros are frequent or clustered, one bit per byte says which bytes
/// are not zero, and only those are coded ([SymbolCoder] decides). This can take less than one bit per symbol, and for
/// deltas of weights it takes fewer bits than an asymmetric numeral system on the original bytes. Tables are kept and
/// reused across blocks while that costs less than a new table ([TableSet]).
///
/// ```
/// symbols  := length:varint body                   body has `length` bytes
/// body     := 0 byte*                              not coded
///           | 1 part                               every symbol coded
///           | 2 flagBytes:varint part part         which bytes are not zero, eight to a symbol; then those bytes
/// part     := 255 byte*                            not coded
///           | 254 tableBytes:u8 table coded        with its own table
///           | index:u8 coded                       a table of the set
/// coded    := nothing, if the table has one symbol and there are no patches
///           | header:u8 size:varint* stream* patch*
/// header   := bit 0: four streams, otherwise one; bit 1: patches follow
/// size     := bytes of each stream; the last size is omitted if no patches follow
/// patch    := gap:varint symbol:u8                 a symbol without a code; gap = symbols since the last patch
/// table    := 0 symbol:u8                          the only symbol
///           | 1 byte*                              code lengths, arithmetic-coded, see TableFormat
///           | 2 byte[128]                          code lengths, four bits each, if form 1 is longer
/// set      := count:u8 (tableBytes:u8 table)*
/// ```
/// Streams are read from the lowest bit of their first byte. The first bit of a code is the lowest. The last byte is
/// padded with zeros. Stream k of four has the k-th quarter of the symbols (rounded up; the last has the rest).
@NullMarked
package dev.cairn.codec.huffman;

import org.jspecify.annotations.NullMarked;
