package io.tidemill.processor.input;

import io.tidemill.analytics.AnalyticsException;
import io.tidemill.api.WorkFailure;
import io.tidemill.lucene.SearchException;
import io.tidemill.processor.record.RecordsException;
import io.tidemill.redis.RedisException;
import io.tidemill.s3.S3Exception;
import java.io.IOException;

/// Classifies failures of steps and tasks as transient or permanent.
public final class RecordFailures {
  private RecordFailures() {}

  /// The failure that a step or task reports.
  public static WorkFailure of(Exception failure) {
    return switch (failure) {
      case WorkFailure known -> known;
      case S3Exception blob when blob.isMissing() ->
          WorkFailure.permanent("OBJECT_NOT_FOUND", message(blob), blob);
      case S3Exception blob when blob.isTransient() ->
          WorkFailure.passing("STORE_UNAVAILABLE", message(blob), blob);
      case S3Exception blob -> WorkFailure.permanent("STORE_REFUSED", message(blob), blob);
      case RecordsException bad -> WorkFailure.permanent("INVALID_RECORDS", message(bad), bad);
      case SearchException search ->
          WorkFailure.passing("SEARCH_UNAVAILABLE", message(search), search);
      case RedisException redis -> WorkFailure.passing("STORE_UNAVAILABLE", message(redis), redis);
      case AnalyticsException database ->
          WorkFailure.passing("ANALYTICS_UNAVAILABLE", message(database), database);
      case IOException io -> WorkFailure.passing("IO", message(io), io);
      default -> WorkFailure.passing("INTERNAL", "unexpected: " + failure, failure);
    };
  }

  private static String message(Exception failure) {
    return String.valueOf(failure.getMessage());
  }
}
