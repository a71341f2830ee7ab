package dev.cairn.train.steps;

import dev.cairn.train.data.DataOrder;
import dev.cairn.train.data.DataOrder.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/// Gives out the batches in the order of the data, to whoever comes. So each example comes once an epoch.
public final class GlobalDealer implements Dealer {
    private final DataOrder order;
    private final int batch;
    private final Deque<Cursor> again = new ArrayDeque<>();
    private Cursor next = Cursor.START;

    public GlobalDealer(DataOrder order, int batch) {
        this.order = order;
        this.batch = batch;
    }

    @Override
    public void begin(Cursor position, List<Cursor> saved) {
        next = position;
        again.clear();
        again.addAll(saved);
    }

    @Override
    public Cursor deal(int worker) {
        if (!again.isEmpty()) {
            return again.removeFirst();
        }
        Cursor dealt = next;
        next = order.after(dealt, batch);
        return dealt;
    }

    @Override
    public Cursor learned(int worker, Cursor learned) {
        return next;
    }

    @Override
    public void lost(int worker, Cursor lost) {
        again.addLast(lost);
    }

    @Override
    public List<Cursor> open(Collection<Cursor> given) {
        var open = new ArrayList<>(again);
        open.addAll(given);
        return open;
    }
}
