package dev.cairn.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The location of a run in object storage, such as `s3://bucket/runs/first`.
///
/// @param prefix prefix without slashes at its ends; empty if the bucket holds one run
public record S3Location(String bucket, String prefix) {
    private static final String SCHEME = "s3://";
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("([A-Za-z0-9._=+@,!()' -]+/)*[A-Za-z0-9._=+@,!()' -]+");
    private static final Pattern DOTS = Pattern.compile("(.*/)?\\.\\.?(/.*)?");
    private static final int LONGEST_PREFIX = 400;

    public S3Location {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("not a bucket name: '" + bucket + "'");
        }
        boolean plain =
                PREFIX.matcher(prefix).matches() && !DOTS.matcher(prefix).matches();
        if (!prefix.isEmpty() && (!plain || prefix.length() > LONGEST_PREFIX)) {
            throw new IllegalArgumentException("not a prefix of object names: '" + prefix + "'");
        }
    }

    /// Reads `s3://bucket/prefix`.
    ///
    /// @throws IllegalArgumentException if the text does not have this form
    public static S3Location parse(String text) {
        Matcher parts = Pattern.compile("s3://([^/]*)/?(.*?)/*").matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not of the form s3://bucket/prefix");
        }
        try {
            return new S3Location(parts.group(1), parts.group(2));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not of the form s3://bucket/prefix: %s".formatted(text, e.getMessage()), e);
        }
    }

    /// The key of a blob's object.
    String key(String name) {
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /// The name of the blob whose object has this key.
    String name(String key) {
        return prefix.isEmpty() ? key : key.substring(prefix.length() + 1);
    }

    @Override
    public String toString() {
        return SCHEME + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
    }
}
