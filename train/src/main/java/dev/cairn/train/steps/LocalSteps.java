package dev.cairn.train.steps;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Update;
import dev.cairn.train.batch.Prefetch;
import dev.cairn.train.data.DataOrder.Cursor;

/// Makes the steps in this process.
public record LocalSteps(Learner learner, Prefetch batches) implements Steps {
    @Override
    public Made make(Cursor cursor, Update update, Runnable beforeUpdate) {
        Batch batch = batches.at(cursor);
        float loss = learner.step(batch, update, beforeUpdate);
        return new Made(loss, batch.size(), batches.after(cursor), Staleness.NONE);
    }
}
