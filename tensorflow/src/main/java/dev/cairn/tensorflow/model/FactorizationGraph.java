package dev.cairn.tensorflow.model;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Model;
import dev.cairn.tensorflow.model.ModelGraph.Gradient;
import dev.cairn.tensorflow.runtime.GraphBuilder;
import dev.cairn.tensorflow.runtime.Output;
import java.util.List;
import java.util.Optional;

/// A factorization of ratings as a graph. Its gradients are written by hand, because they are short. They cover only
/// the rows of a batch, each row once.
public final class FactorizationGraph {
    private final GraphBuilder graph;
    private final Variables variables;

    private FactorizationGraph(GraphBuilder graph, Variables variables) {
        this.graph = graph;
        this.variables = variables;
    }

    public static ModelGraph build(GraphBuilder graph, Variables variables, Model.Factorization model) {
        return new FactorizationGraph(graph, variables).build(model);
    }

    private ModelGraph build(Model.Factorization model) {
        Output users = graph.placeholder(TF_INT64, -1);
        Output items = graph.placeholder(TF_INT64, -1);
        Output ratings = graph.placeholder(TF_FLOAT, -1);
        Side user = side(users, Model.Factorization.USER_FACTORS, Model.Factorization.USER_BIAS);
        Side item = side(items, Model.Factorization.ITEM_FACTORS, Model.Factorization.ITEM_BIAS);

        Output products = graph.multiply(user.factors, item.factors);
        Output predicted = graph.add(
                graph.add(graph.constant(model.mean()), graph.add(user.bias, item.bias)),
                graph.binary("Sum", products, graph.vector(1)));
        Output errors = graph.binary("Sub", predicted, ratings);
        Output loss = graph.mean(graph.unary("Square", errors));

        Output examples = graph.cast(graph.node("Size").in(ratings).output(), TF_FLOAT);
        Output slopes = graph.multiply(errors, graph.binary("RealDiv", graph.constant(2.0), examples));
        Output column = graph.reshape(slopes, -1, 1);
        return new ModelGraph(
                List.of(users, items, ratings),
                Optional.empty(),
                loss,
                List.of(
                        user.gradient(Model.Factorization.USER_FACTORS, graph.multiply(column, item.factors)),
                        item.gradient(Model.Factorization.ITEM_FACTORS, graph.multiply(column, user.factors)),
                        user.gradient(Model.Factorization.USER_BIAS, slopes),
                        item.gradient(Model.Factorization.ITEM_BIAS, slopes)),
                loss,
                graph.constant(0L),
                Optional.empty());
    }

    private Side side(Output ids, String factors, String bias) {
        Output rows = graph.unary("Unique", ids);
        Output place = new Output(rows.operation(), 1);
        return new Side(graph, rows, place, gather(factors, ids), gather(bias, ids));
    }

    private Output gather(String variable, Output ids) {
        return graph.gatherRows(variables.get(variable).handle(), ids);
    }

    /// The users or the items of a batch.
    ///
    /// @param rows each row once
    /// @param place index of each example's row in `rows`
    /// @param factors one row for each example
    /// @param bias one value for each example
    private record Side(GraphBuilder graph, Output rows, Output place, Output factors, Output bias) {
        /// Adds up the gradients of all examples of a row.
        Gradient gradient(String weight, Output examples) {
            Output sums = graph.node("UnsortedSegmentSum")
                    .in(examples)
                    .in(place)
                    .in(graph.node("Size").in(rows).output())
                    .output();
            return new Gradient(weight, sums, Optional.of(rows));
        }
    }
}
