package dev.cairn.s3;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/// A reply of status 200 that lacks what every object store says is none of an object store's: something between,
/// such as a proxy, has sent it, and the request may have had no effect. It is sent again.
final class WholeReplies implements ExecutionInterceptor {
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
            case ListMultipartUploadsResponse listing -> listing.isTruncated();
            case PutObjectResponse put -> put.eTag();
            case CreateMultipartUploadResponse begun -> begun.uploadId();
            case UploadPartResponse part -> part.eTag();
            case CompleteMultipartUploadResponse completed -> completed.eTag();
            case GetObjectResponse got -> got.eTag();
            case HeadObjectResponse head -> head.eTag();
            default -> response;
        };
        return said == null;
    }
}
