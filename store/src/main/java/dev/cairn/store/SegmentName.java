package dev.cairn.store;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What the name of a segment tells: `segments/NUMBER-ID[-FORM].seg`.
///
/// @param number the number that came next when it was begun
/// @param id of its checkpoint
record SegmentName(long number, String id) {
    static final String FOLDER = "segments/";
    private static final String END = ".seg";
    private static final int ID_DIGITS = 16;
    private static final int FORM_DIGITS = 8;

    /// @param form drawn at random for a merged form; empty for a checkpoint as it was first stored
    static String of(long number, long id, String form) {
        return FOLDER + CommitLog.digits(number) + "-" + HexFormat.of().toHexDigits(id) + form + END;
    }

    /// Null where the name is none of ours.
    static @Nullable SegmentName parse(String name) {
        int dash = name.indexOf('-');
        if (dash < 0 || !name.startsWith(FOLDER) || !name.endsWith(END)) {
            return null;
        }
        long number = CommitLog.parse(name, FOLDER.length(), dash);
        int end = name.length() - END.length();
        int idEnd = dash + 1 + ID_DIGITS;
        boolean plain = end == idEnd;
        boolean merged = end == idEnd + 1 + FORM_DIGITS && name.charAt(idEnd) == '-';
        if (number < 0
                || !(plain || merged)
                || !isHexadecimal(name, dash + 1, idEnd)
                || (merged && !isHexadecimal(name, idEnd + 1, end))) {
            return null;
        }
        return new SegmentName(number, name.substring(dash + 1, idEnd));
    }

    private static boolean isHexadecimal(String name, int from, int to) {
        for (int i = from; i < to; i++) {
            char digit = name.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
                return false;
            }
        }
        return true;
    }
}
