package dev.cairn.s3;

import dev.cairn.store.StorageUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/// Describes errors of object storage in one line: problem, cause, cure.
final class Troubles {
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int PRECONDITION_FAILED = 412;
    static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Location location;
    private final S3Options options;

    Troubles(S3Location location, S3Options options) {
        this.location = location;
        this.options = options;
    }

    static int status(SdkException e) {
        return e instanceof AwsServiceException service ? service.statusCode() : 0;
    }

    /// @param name name of the requested blob
    IOException explain(String name, SdkException e) {
        return switch (e) {
            case AwsServiceException service -> explainReply(name, service);
            case AbortedException _ -> interrupted(e);
            default -> Thread.currentThread().isInterrupted() ? interrupted(e) : explainSilence(e);
        };
    }

    private IOException interrupted(SdkException e) {
        var interrupted = new InterruptedIOException("interrupted while waiting for " + location);
        interrupted.initCause(e);
        return interrupted;
    }

    private IOException explainReply(String name, AwsServiceException e) {
        String code =
                e.awsErrorDetails() == null ? "" : text(e.awsErrorDetails().errorCode());
        if (code.equals("NoSuchBucket")) {
            return unavailable(e, "no bucket '%s'".formatted(location.bucket()), "create it, or correct its name");
        }
        if (e.statusCode() == NOT_FOUND) {
            return new NoSuchFileException(location + "/" + name);
        }
        if (e.statusCode() == PRECONDITION_FAILED) {
            return new FileAlreadyExistsException(location + "/" + name);
        }
        String problem = switch (code) {
            case "ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired" ->
                "the credentials have expired";
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "InvalidClientTokenId" ->
                "the credentials are refused";
            case "RequestTimeTooSkewed" -> "this machine's clock is wrong";
            case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException" ->
                "the bucket is in another region";
            default ->
                e.statusCode() == 403
                        ? "access is denied"
                        : e.statusCode() >= 500 ? "the server fails" : "the request was refused";
        };
        String cure = switch (problem) {
            case "the credentials have expired" -> "renew them; what could not be saved is then saved";
            case "the credentials are refused" -> "check AWS_ACCESS_KEY_ID, AWS_PROFILE and similar settings";
            case "this machine's clock is wrong" -> "set the clock";
            case "the bucket is in another region" -> "set AWS_REGION to the region of the bucket";
            case "access is denied" -> "give these credentials the permissions that docs/S3.md lists";
            case "the server fails" ->
                "it was tried %d times; try again later"
                        .formatted(options.patience().attempts());
            default -> "see the server's log";
        };
        return unavailable(
                e, "%s (status=%d%s)".formatted(problem, e.statusCode(), code.isEmpty() ? "" : " code=" + code), cure);
    }

    private IOException explainSilence(SdkException e) {
        Throwable root = root(e);
        if (String.valueOf(e.getMessage()).startsWith("Unable to load credentials")) {
            return explainNoCredentials(e);
        }
        String problem = switch (root) {
            case UnknownHostException host -> "no such host: " + host.getMessage();
            case ConnectException _ -> "connection refused";
            case SocketTimeoutException _ -> "no answer in time";
            case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _ -> "no answer in time";
            default -> firstLine(root);
        };
        boolean network = root instanceof IOException
                || e instanceof ApiCallTimeoutException
                || e instanceof RetryableException
                || !(e instanceof SdkClientException);
        return network
                ? StorageUnavailableException.unreachable(outage(problem), S3Storage.ENDPOINT, e)
                : unavailable(e, problem, "check the AWS settings");
    }

    /// Explains missing credentials. The SDK asks one source after the other. A token that cannot be exchanged is
    /// reported.
    private IOException explainNoCredentials(SdkException e) {
        Optional<String> token = SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE.getStringValue();
        if (token.isPresent()) {
            return unavailable(
                    e,
                    "the token in %s could not be exchanged for credentials".formatted(token.get()),
                    "check AWS_ROLE_ARN, the trust policy of that role, and the connection to the token service");
        }
        return unavailable(
                e,
                "no credentials in the environment, the profile files or this machine's role",
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE");
    }

    private StorageUnavailableException unavailable(SdkException cause, String problem, String cure) {
        return new StorageUnavailableException(outage(problem) + "; " + cure, cause);
    }

    private String outage(String problem) {
        return "storage unavailable: %s at %s: %s".formatted(location, options.server(), problem);
    }

    private static Throwable root(Throwable e) {
        Throwable cause = e.getCause();
        return cause == null ? e : root(cause);
    }

    private static String firstLine(Throwable e) {
        return text(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
