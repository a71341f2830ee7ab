package dev.cairn.codec.lossy.kernel;

import static dev.cairn.codec.lossy.kernel.Floats.F32;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The scalar loops, whose results the vector loops must equal. They also run if there is no vector module.
public final class ScalarKernels implements Kernels {
    @Override
    public boolean quantizeUniform(
            MemorySegment u,
            MemorySegment r,
            int count,
            UniformSetting setting,
            QuantizedBlock block,
            float[] deltaSquares,
            float[] errorSquares) {
        float inverse = 1 / setting.step();
        block.reset(count);
        Arrays.fill(block.mask, 0, block.maskBytes(), (byte) 0);
        int ids = 0;
        for (int i = 0; i < count; i++) {
            float delta = u.get(F32, 4L * i) - r.get(F32, 4L * i);
            deltaSquares[i % LANES] = Math.fma(delta, delta, deltaSquares[i % LANES]);
            int magnitude = UniformSetting.MAGNITUDE_OF_CELL[UniformSetting.cell(Math.abs(delta), inverse)];
            float error = Math.abs(delta) - block.values[magnitude];
            errorSquares[i % LANES] = Math.fma(error, error, errorSquares[i % LANES]);
            if (magnitude != 0) {
                int sign = (Float.floatToRawIntBits(delta) >>> 28) & 8;
                block.mask[i >> 3] |= (byte) (1 << (i & 7));
                block.ids[ids++] = (byte) (magnitude | sign);
            }
        }
        block.idCount = ids;
        return applyAndCheck(block, r);
    }

    @Override
    public void apply(QuantizedBlock block, MemorySegment r) {
        int next = 0;
        for (int i = 0; i < block.count; i++) {
            if (((block.mask[i >> 3] >>> (i & 7)) & 1) != 0) {
                r.set(F32, 4L * i, r.get(F32, 4L * i) + block.values[block.ids[next++] & 0xff]);
            }
        }
    }

    @Override
    public boolean applyAndCheck(QuantizedBlock block, MemorySegment r) {
        boolean sound = true;
        int next = 0;
        for (int i = 0; i < block.count; i++) {
            if (((block.mask[i >> 3] >>> (i & 7)) & 1) != 0) {
                float before = r.get(F32, 4L * i);
                float after = before + block.values[block.ids[next++] & 0xff];
                sound &= Floats.isSound(before) && Floats.isSound(after);
                r.set(F32, 4L * i, after);
            }
        }
        return sound;
    }
}
