package dev.cairn.train.data;

import dev.cairn.engine.CounterRandom;

/// The random numbers of the two splits of [Digits][dev.cairn.train.data.digits.Digits]: a separate stream for each
/// image, and one for the labels of each block of images.
///
/// The upper half of a stream's number spells `DIG` and its purpose, so that a run can use its seed for other
/// purposes too.
public enum Split {
    TRAIN(0x44494700L, 0x44494701L),
    TEST(0x44494702L, 0x44494703L);

    private final long blockStreams;
    private final long imageStreams;

    Split(long blockPurpose, long imagePurpose) {
        blockStreams = blockPurpose << 32;
        imageStreams = imagePurpose << 32;
    }

    public CounterRandom ofBlock(long seed, int block) {
        return new CounterRandom(seed, blockStreams | block);
    }

    public CounterRandom ofImage(long seed, int image) {
        return new CounterRandom(seed, imageStreams | image);
    }
}
