package io.tidemill.gateway;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import io.tidemill.http.ProblemForm;

/// How much the gateway resembles those that the contracts come from, read from keys `compat.*`.
@Section("compat")
public record CompatConfig(
    @Setting(
            value = "false",
            doc =
                "Whether the gateway answers over HTTP as the original gateways of contracts C2 and C3 do, for clients written for those.")
        boolean originals) {
  /// The originals have the text of an error in the field `error`.
  public ProblemForm problems() {
    return originals ? ProblemForm.WITH_ERROR_FIELD : ProblemForm.STANDARD;
  }
}
