package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.points.Curve;
import java.math.BigDecimal;
import java.math.MathContext;

/// Numbers as JSON. What is not finite is null, because JSON has neither NaN nor infinity.
final class Numbers {
    /// More than a screen can show.
    private static final MathContext DIGITS = new MathContext(6);

    private Numbers() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static void put(ObjectNode object, String key, double value) {
        if (Double.isFinite(value)) {
            object.put(key, value);
        } else {
            object.putNull(key);
        }
    }

    static void add(ArrayNode array, double value) {
        if (!Double.isFinite(value)) {
            array.addNull();
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            array.add((long) value);
        } else {
            array.add(new BigDecimal(value, DIGITS).doubleValue());
        }
    }

    /// Puts the times as `t`, in seconds since 1970, and the values as `v`.
    static ObjectNode curve(Curve curve) {
        ObjectNode object = object();
        ArrayNode times = object.putArray("t");
        ArrayNode values = object.putArray("v");
        for (int i = 0; i < curve.size(); i++) {
            times.add(curve.time(i) / 1e3);
            add(values, curve.value(i));
        }
        return object;
    }

    /// The same, with the steps as `s`.
    static ObjectNode curveBySteps(Curve curve) {
        ObjectNode object = curve(curve);
        ArrayNode steps = object.putArray("s");
        for (int i = 0; i < curve.size(); i++) {
            steps.add(curve.step(i));
        }
        return object;
    }
}
