package dev.cairn.tensorflow.runtime;

import java.util.List;
import org.bytedeco.javacpp.PointerPointer;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;

/// A prepared run of a graph: its inputs, its results and its operations. For one thread at a time.
public final class Call implements AutoCloseable {
    private final Session session;
    private final int feeds;
    private final int fetches;
    private final int targets;
    private final TF_Output feedOutputs;
    private final TF_Output fetchOutputs;
    private final PointerPointer<TF_Tensor> fed;
    private final PointerPointer<TF_Tensor> fetched;
    private final PointerPointer<TF_Operation> targetOperations;

    Call(Session session, List<Output> feeds, List<Output> fetches, List<TF_Operation> targets) {
        this.session = session;
        this.feeds = feeds.size();
        this.fetches = fetches.size();
        this.targets = targets.size();
        this.feedOutputs = Output.array(feeds);
        this.fetchOutputs = Output.array(fetches);
        this.fed = new PointerPointer<>(Math.max(1, feeds.size()));
        this.fetched = new PointerPointer<>(Math.max(1, fetches.size()));
        this.targetOperations = new PointerPointer<>(Math.max(1, targets.size()));
        for (int i = 0; i < targets.size(); i++) {
            targetOperations.put(i, targets.get(i));
        }
    }

    /// Runs it once.
    ///
    /// @param fed one tensor for each feed; the caller keeps them
    /// @return one tensor for each fetch; the caller must delete them
    public List<TF_Tensor> run(List<TF_Tensor> fed) {
        for (int i = 0; i < feeds; i++) {
            this.fed.put(i, fed.get(i));
        }
        tensorflow.TF_SessionRun(
                session.pointer(),
                null,
                feedOutputs,
                this.fed,
                feeds,
                fetchOutputs,
                fetched,
                fetches,
                targetOperations,
                targets,
                null,
                session.status().pointer());
        session.status().check();
        var results = new TF_Tensor[fetches];
        for (int i = 0; i < fetches; i++) {
            results[i] = fetched.get(TF_Tensor.class, i);
        }
        return List.of(results);
    }

    @Override
    public void close() {
        feedOutputs.close();
        fetchOutputs.close();
        fed.close();
        fetched.close();
        targetOperations.close();
    }
}
