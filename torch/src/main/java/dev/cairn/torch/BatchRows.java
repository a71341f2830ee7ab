package dev.cairn.torch;

import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/// The rows of a table that a batch names.
///
/// @param rows each row once, ascending
/// @param places for each example, the index of its row among them
record BatchRows(Tensor rows, Tensor places) {
    static BatchRows of(Tensor ids) {
        T_TensorTensorTensor_T unique = torch.unique_dim(ids, 0, true, true, false);
        return new BatchRows(unique.get0(), unique.get1());
    }
}
