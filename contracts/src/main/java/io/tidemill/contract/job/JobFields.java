package io.tidemill.contract.job;

/// The names of fields in Redis (C3.1), spelled once: of a job's hash, of its events, of a queue
/// entry, of an entry of the dead stream and of the stream of changes.
public final class JobFields {
  public static final String JOB_ID = "job_id";
  public static final String TASK = "task";
  public static final String PAYLOAD = "payload";
  public static final String STATUS = "status";
  public static final String CREATED_TS = "created_ts";
  public static final String UPDATED_TS = "updated_ts";
  public static final String TTL_S = "ttl_s";
  public static final String RESULT = "result";
  public static final String ERROR = "error";

  public static final String TYPE = "type";
  public static final String TS = "ts";
  public static final String STEP = "step";
  public static final String DATA = "data";

  public static final String TRACEPARENT = "traceparent";
  public static final String IDEMPOTENCY_KEY = "idempotency_key";

  public static final String ORIGIN = "origin";
  public static final String ORIGIN_ID = "origin_id";
  public static final String GROUP = "group";
  public static final String CONSUMER = "consumer";
  public static final String ATTEMPTS = "attempts";
  public static final String REASON = "reason";
  public static final String MESSAGE = "message";
  public static final String FIELDS = "fields";

  public static final String UPTO = "upto";
  public static final String IDS = "ids";

  private JobFields() {}
}
