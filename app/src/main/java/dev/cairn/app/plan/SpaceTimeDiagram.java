package dev.cairn.app.plan;

import dev.cairn.app.text.Svg;
import dev.cairn.plan.recovery.Moments;
import dev.cairn.plan.recovery.Trace;

/// Draws a trace: a line from left to right for each process, a box for each checkpoint, an arrow for each message, and
/// a line across for a state.
final class SpaceTimeDiagram {
    private static final int MOST_EVENTS = 2_000;
    private static final double LEFT = 110;
    private static final double TOP = 60;
    private static final double ROW = 80;
    private static final double COLUMN = 46;

    private final Trace trace;
    private final int[] state;
    private final Moments moments;

    /// @param state for each process, the number of the checkpoint through which the line goes
    SpaceTimeDiagram(Trace trace, int[] state) {
        this.trace = trace;
        this.state = state.clone();
        this.moments = Moments.of(trace);
        if (moments.events() > MOST_EVENTS) {
            throw new IllegalArgumentException(
                    "--svg draws at most %,d events, but this trace has %,d; give a shorter one"
                            .formatted(MOST_EVENTS, moments.events()));
        }
    }

    String svg() {
        int count = trace.processes().size();
        double right = LEFT + COLUMN * (moments.last() + 1.5);
        var svg = new Svg(right + 30, TOP + ROW * count + 20);
        svg.text(LEFT, 26, "Checkpoints, messages and the latest consistent state", "font-size=\"15\"");
        for (int process = 0; process < count; process++) {
            double y = y(process);
            svg.text(LEFT - 34, y + 4, trace.processes().get(process), "text-anchor=\"end\" font-weight=\"bold\"");
            svg.line(LEFT - 20, y, right, y, "stroke=\"#444\"");
        }
        for (Moments.Message message : moments.messages()) {
            drawMessage(svg, message);
        }
        double[] line = new double[2 * count];
        for (int process = 0; process < count; process++) {
            for (int checkpoint = 0; checkpoint <= trace.newest(process); checkpoint++) {
                drawCheckpoint(svg, process, checkpoint);
            }
            line[2 * process] = x(moments.checkpoint(process, state[process]));
            line[2 * process + 1] = y(process);
        }
        svg.polyline(line, "stroke=\"#c0392b\" stroke-width=\"2.5\" stroke-dasharray=\"7 4\"");
        return svg.toString();
    }

    private void drawMessage(Svg svg, Moments.Message message) {
        double x1 = x(message.sent());
        double y1 = y(message.sender());
        boolean arrived = message.receiver() >= 0;
        double x2 = arrived ? x(message.received()) : x1 + COLUMN * 0.6;
        double y2 = arrived ? y(message.receiver()) : y1 + ROW * 0.35;
        String style = "stroke=\"#555\" marker-end=\"url(#arrow)\"" + (arrived ? "" : " stroke-dasharray=\"3 3\"");
        svg.line(x1, y1, x2, y2, style);
        // At a quarter of the way: there, arrows that meet are still apart.
        svg.text(x1 + (x2 - x1) * 0.25 + 4, y1 + (y2 - y1) * 0.25, message.name(), "fill=\"#555\" font-size=\"11\"");
    }

    private void drawCheckpoint(Svg svg, int process, int checkpoint) {
        boolean chosen = state[process] == checkpoint;
        double x = x(moments.checkpoint(process, checkpoint));
        double y = y(process);
        svg.rect(
                x - 6,
                y - 6,
                12,
                12,
                chosen ? "fill=\"#c0392b\" stroke=\"#c0392b\"" : "fill=\"white\" stroke=\"#444\"");
        // For the last process below its line, because no message is there.
        boolean last = process == trace.processes().size() - 1;
        svg.text(x, last ? y + 20 : y - 12, trace.name(process, checkpoint), "text-anchor=\"middle\" font-size=\"11\"");
    }

    /// The start is one column to the left of the first event.
    private static double x(int moment) {
        return LEFT + COLUMN * (moment + 1);
    }

    private static double y(int process) {
        return TOP + ROW * (process + 0.4);
    }
}
