package dev.cairn.train.data.digits;

import dev.cairn.engine.CounterRandom;
import java.util.Arrays;
import java.util.List;

/// The shapes of the ten digits: several ways to write each, as the points that the pen passes in a square of 100 by
/// 100, with y pointing down. [Stroke] explains the notation.
final class Glyphs {
    static final int DIGITS = 10;

    private static final List<List<List<Stroke>>> HANDWRITINGS = List.of(
            digit(
                    "50,2 28,14 18,50 28,86 50,98 72,86 82,50 72,14 48,2 38,6", // an oval
                    "66,8 46,4 30,28 24,68 38,96 58,92 74,62 76,26 62,5", // narrow and leaning
                    "58,4 32,12 18,46 26,84 50,97 74,82 81,44 68,12", // not quite closed
                    "70,16 48,4 26,22 20,60 38,96 62,94 80,62 78,26 58,8 46,16 58,28 84,20"), // closed with a curl
            digit(
                    "50,2 50,50 50,98", // a bar
                    "34,24 54,2! 54,50 54,98", // with a flag
                    "34,22 52,3! 52,50 52,97; 28,97 52,97 76,97", // with a flag and a base
                    "64,2 50,50 38,98", // leaning
                    "34,38 47,24 58,2! 56,98"), // with a long flag
            digit(
                    "20,26 34,6 60,4 76,24 66,50 42,74 18,97! 50,97 82,96", // round above, straight below
                    "22,22 42,3 68,10 74,34 56,66 30,92 17,88 24,76 42,82 60,95 84,90", // with a loop
                    "20,12 46,3 72,10 70,32! 18,96! 82,96", // nearly a z
                    "22,28 40,6 66,8 76,30 58,62 22,94! 40,87 62,96 84,86"), // with a wavy base
            digit(
                    "22,14 44,3 68,10 72,30 58,45 42,48! 66,54 78,74 64,94 40,98 20,86", // two bowls
                    "22,5 74,5! 46,42! 70,50 78,72 62,94 40,98 20,86", // with a flat top
                    "24,12 50,2 72,18 62,40 42,50 36,44 48,43 74,58 76,82 50,98 22,90", // with a small loop
                    "26,8 58,4 72,20 60,40 40,47 62,50 76,68 66,90 38,98 18,92"), // with a soft waist
            digit(
                    "30,4 24,54! 80,54; 64,24 62,60 62,98", // open
                    "62,98 62,3! 16,66! 84,66", // closed, in one go
                    "26,8 22,40 34,56 60,54 76,44; 74,6 66,50 62,98", // open and round
                    "56,3 18,60! 84,58; 66,36 60,98"), // open at the tip
            digit(
                    "78,4 30,4! 26,44! 50,38 74,50 78,72 62,94 38,98 18,88", // in one go
                    "32,8 28,46! 56,40 76,58 72,84 48,98 20,90; 32,8 56,5 80,3", // with the roof last
                    "76,10 46,5 30,20 38,40 62,50 76,70 62,94 24,95", // nearly an s
                    "74,4 36,6! 22,50! 60,46 76,66 64,92 20,97"), // leaning
            digit(
                    "68,4 42,24 24,56 26,84 48,98 70,88 74,66 56,52 36,58 25,74", // leaning
                    "54,2 32,40 22,76 38,97 62,94 74,74 62,56 40,58 25,78", // with a straight stem
                    "74,12 54,3 32,20 20,54 28,88 52,98 74,84 72,60 50,50 26,66", // round
                    "44,2 26,40 22,78 40,98 62,90 64,68 46,60 25,72"), // narrow
            digit(
                    "20,6 50,6 80,6! 42,97", // plain
                    "20,8 50,6 80,5! 44,97; 32,52 74,48", // with a bar
                    "20,22 22,6! 80,8! 58,44 48,97", // with a hook
                    "18,10 50,9 80,4! 52,46 46,98; 34,50 72,50"), // curved, with a bar
            digit(
                    "72,16 50,3 30,14 32,34 54,50 74,68 72,90 50,98 28,90 26,70 46,50 68,34 72,16", // in one go
                    "50,3 32,12 32,34 50,46 68,34 68,12 48,3; 50,46 26,60 26,88 50,98 74,88 74,60 48,46", // two rings
                    "76,8 52,4 30,16 36,38 60,56 72,78 54,97 28,88 34,64 56,44 78,22", // open above
                    "62,6 42,6 34,24 48,44 64,66 62,92 42,97 32,80 44,56 62,38 68,18 58,5"), // narrow
            digit(
                    "72,24 56,4 32,10 24,32 38,50 60,46 73,24 74,50 66,82 44,98 26,90", // with a round tail
                    "70,20 50,4 30,14 26,36 42,50 62,42 71,18! 70,60 68,98", // with a straight stem
                    "74,8 50,4 28,20 28,40 46,50 66,36 76,6! 62,56 50,98", // leaning
                    "72,26 58,6 36,8 26,28 38,48 60,42 72,16 66,60 40,97")); // with a bent stem

    private Glyphs() {}

    private static List<List<Stroke>> digit(String... handwritings) {
        return Arrays.stream(handwritings).map(Stroke::parse).toList();
    }

    static List<List<Stroke>> handwritings(int digit) {
        return HANDWRITINGS.get(digit);
    }

    static List<Stroke> choose(int digit, CounterRandom random) {
        List<List<Stroke>> choices = handwritings(digit);
        return choices.get(random.nextInt(choices.size()));
    }
}
