package dev.cairn.checkpoint.encode;

import dev.cairn.codec.block.BlockEncoder;
import java.util.List;

/// How one tensor of a checkpoint is encoded.
///
/// @param label the name of the encoding in the record
/// @param encoders one encoder for each thread
/// @param exact whether a reader will hold the live values bit for bit
record TensorEncoding(String label, List<BlockEncoder> encoders, boolean exact) {
    TensorEncoding {
        encoders = List.copyOf(encoders);
    }
}
