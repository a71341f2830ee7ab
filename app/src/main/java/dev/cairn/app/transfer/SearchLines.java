package dev.cairn.app.transfer;

import dev.cairn.app.text.Skipped;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.restore.CheckpointSearch;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.Entry;
import java.util.ArrayList;
import java.util.List;

/// What a search found besides the checkpoint, a line each.
///
/// @param passedOver the checkpoints that did not pass
/// @param healed the damaged records that were read from their twins
record SearchLines(List<String> passedOver, List<String> healed) implements CheckpointSearch.Listener {
    SearchLines() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    @Override
    public void passedOver(Entry entry, StoreException reason) {
        passedOver.add(Skipped.line(entry, reason));
    }

    @Override
    public void healed(DamagedException damage) {
        healed.add("cairn: " + CheckpointEvent.Healed.fromTwin(damage).text());
    }
}
