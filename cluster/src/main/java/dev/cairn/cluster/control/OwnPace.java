package dev.cairn.cluster.control;

import dev.cairn.engine.Score;

/// What a worker has done that does not wait for the others.
///
/// @param gradients the number of its gradients whose age is known
/// @param ageSum the sum of the ages: of the updates that others made meanwhile
/// @param largestAge the largest of them
/// @param testLoss its last score of the test split; NaN if there is none
/// @param accuracy its last accuracy on the test split; NaN if there is none
public record OwnPace(long gradients, long ageSum, long largestAge, double testLoss, double accuracy) {
    /// Of a worker that has done nothing yet, or waits for the others.
    public static final OwnPace NONE = new OwnPace(0, 0, 0, Double.NaN, Double.NaN);

    /// Of a gradient that was this old.
    public static OwnPace aged(long age) {
        return new OwnPace(1, age, age, Double.NaN, Double.NaN);
    }

    /// Of a score; of none if nothing was scored.
    public static OwnPace scored(Score score) {
        double accuracy = score.correct() == 0 ? Double.NaN : score.accuracy(); // ratings have none
        return score.count() == 0 ? NONE : new OwnPace(0, 0, 0, score.loss(), accuracy);
    }

    /// The mean age; NaN if none is known.
    public double meanAge() {
        return gradients == 0 ? Double.NaN : (double) ageSum / gradients;
    }

    OwnPace since(OwnPace earlier) {
        return new OwnPace(gradients - earlier.gradients, ageSum - earlier.ageSum, largestAge, testLoss, accuracy);
    }

    OwnPace plus(OwnPace later) {
        return new OwnPace(
                gradients + later.gradients,
                ageSum + later.ageSum,
                Math.max(largestAge, later.largestAge),
                Double.isNaN(later.testLoss) ? testLoss : later.testLoss,
                Double.isNaN(later.accuracy) ? accuracy : later.accuracy);
    }
}
