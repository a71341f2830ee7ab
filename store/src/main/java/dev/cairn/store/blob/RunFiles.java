package dev.cairn.store.blob;

import java.util.List;

/// The names of a run's files, relative to the run. Each kind of name is built and parsed in one place: records, their
/// twins and leases here, events and system figures in [RecordingName], segments in `SegmentName`.
public final class RunFiles {
    /// The commit log.
    public static final String LOG = "log/";

    /// The bytes of tensors.
    public static final String SEGMENTS = "segments/";

    /// The leases of writers, on shared storage.
    public static final String LEASES = "lease/";

    /// The events of the run's trainings.
    public static final String EVENTS = "events/";

    /// How machines and processes were used during the run's trainings.
    public static final String SYSTEM = "system/";

    /// The curves of the run's trainings, as TensorBoard reads them.
    public static final String TENSORBOARD = "tensorboard/";

    /// The files that a repair moved away.
    public static final String QUARANTINE = "quarantine/";

    /// All folders of a run.
    public static final List<String> FOLDERS = List.of(LOG, SEGMENTS, LEASES, EVENTS, SYSTEM, TENSORBOARD, QUARANTINE);

    /// The lock file of a folder's writer.
    public static final String LOCK = "writer.lock";

    /// The progress of the training, for scripts.
    public static final String PROGRESS = "progress.jsonl";

    /// When scrubbing checked which file. May be removed at any time.
    public static final String SCRUB = "scrub.json";

    /// The processes of a training by several, while it runs.
    public static final String JOB = "job.json";

    /// The prefix of temporary files, in a folder of files.
    public static final String TEMPORARY_PREFIX = ".tmp-";

    private static final String RECORD_END = ".rec";
    private static final String TWIN_END = ".twin";
    private static final String LEASE_END = ".lease";
    private static final int LEAST_DIGITS = 10;
    private static final int MOST_DIGITS = 15;

    private RunFiles() {}

    /// The name of the record with this number.
    public static String record(long number) {
        return LOG + digits(number) + RECORD_END;
    }

    /// The number of the record with this name; −1 if it is not a record.
    public static long recordNumber(String name) {
        return number(name, LOG, RECORD_END);
    }

    /// The name of the twin of the record with this number: a second file with the same bytes.
    public static String twin(long number) {
        return LOG + digits(number) + TWIN_END;
    }

    /// The number of the record whose twin has this name; −1 if it is not a twin.
    public static long twinNumber(String name) {
        return number(name, LOG, TWIN_END);
    }

    /// Whether this is the name of a record or of its twin. Each of them proves that the number is taken.
    public static boolean isRecord(String name) {
        return recordNumber(name) >= 0 || twinNumber(name) >= 0;
    }

    /// The name of the lease with this number.
    public static String lease(long number) {
        return LEASES + digits(number) + LEASE_END;
    }

    /// The number of the lease with this name; −1 if it is not a lease.
    public static long leaseNumber(String name) {
        return number(name, LEASES, LEASE_END);
    }

    /// Whether this is the name of a lease.
    public static boolean isLease(String name) {
        return leaseNumber(name) >= 0;
    }

    /// A number as it appears in file names: at least ten digits, the same in every locale.
    public static String digits(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, LEAST_DIGITS - digits.length())) + digits;
    }

    /// The number in a part of a name, ten to fifteen digits; −1 if it is not a number.
    public static long parse(String name, int from, int to) {
        if (to - from < LEAST_DIGITS || to - from > MOST_DIGITS) {
            return -1;
        }
        if (to - from > LEAST_DIGITS && name.charAt(from) == '0') {
            return -1; // not what digits() makes
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            char digit = name.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = 10 * number + (digit - '0');
        }
        return number;
    }

    private static long number(String name, String folder, String end) {
        return name.startsWith(folder) && name.endsWith(end)
                ? parse(name, folder.length(), name.length() - end.length())
                : -1;
    }
}
