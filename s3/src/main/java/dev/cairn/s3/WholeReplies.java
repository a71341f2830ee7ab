package dev.cairn.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/// Sends a request again if its reply is not complete.
///
/// A reply may be cut off before its first byte. The SDK treats that as a permanent error. A reply with status 200 may
/// also lack a field that every object store sends. Then it comes from something else, such as a proxy, and the request
/// may have had no effect.
final class WholeReplies implements ExecutionInterceptor {
    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse reply, ExecutionAttributes attributes) {
        if (reply.request() instanceof GetObjectRequest) {
            return reply.responseBody(); // the reader checks the content of an object
        }
        return reply.responseBody().map(WholeReplies::readAll);
    }

    private static InputStream readAll(InputStream body) {
        try (body) {
            return new ByteArrayInputStream(body.readAllBytes());
        } catch (IOException cut) {
            throw RetryableException.create("reply cut off", cut);
        }
    }

    @Override
    public void afterUnmarshalling(Context.AfterUnmarshalling reply, ExecutionAttributes attributes) {
        if (isHollow(reply.response())) {
            throw RetryableException.create("reply without content");
        }
    }

    private static boolean isHollow(SdkResponse response) {
        @Nullable
        Object said = switch (response) {
            case ListObjectsV2Response listing -> listing.isTruncated();
            case ListMultipartUploadsResponse listing ->
                listing.bucket() == null ? listing.isTruncated() : listing.bucket();
            case PutObjectResponse put -> put.eTag();
            case CreateMultipartUploadResponse begun -> begun.uploadId();
            case UploadPartResponse part -> part.eTag();
            case CompleteMultipartUploadResponse completed -> completed.eTag();
            case HeadObjectResponse head -> head.eTag() == null ? head.lastModified() : head.eTag();
            default -> response;
        };
        return said == null;
    }
}
