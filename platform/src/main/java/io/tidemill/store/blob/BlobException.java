package io.tidemill.store.blob;

import java.io.IOException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/// The object store did not do what was asked.
public final class BlobException extends RuntimeException {
  private final int status;

  BlobException(String message, SdkException cause) {
    super(message + ": " + said(cause), cause);
    status = cause instanceof AwsServiceException answer ? answer.statusCode() : 0;
  }

  BlobException(String message, IOException cause) {
    super(message + ": " + cause.getMessage(), cause);
    status = 0;
  }

  private static String said(SdkException cause) {
    if (!(cause instanceof AwsServiceException answer)) return String.valueOf(cause.getMessage());
    var details = answer.awsErrorDetails();
    var code = details == null ? null : details.errorCode();
    return code == null ? "status " + answer.statusCode() : code;
  }

  /// Whether the object or its bucket is not there.
  public boolean isMissing() {
    return status == 404;
  }

  /// Whether another try may succeed: the store did not answer, or is not well.
  public boolean isTransient() {
    return status == 0 || status == 408 || status == 429 || status >= 500;
  }
}
