package io.tidemill.content.url;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Query parameters that say who came from where, not which page is meant.
final class DroppedParameters {
  private static final List<String> TRACKING =
      List.of(
          "utm_*",
          "gclid",
          "gclsrc",
          "dclid",
          "gbraid",
          "wbraid",
          "fbclid",
          "msclkid",
          "yclid",
          "ysclid",
          "twclid",
          "ttclid",
          "igshid",
          "igsh",
          "li_fat_id",
          "mc_cid",
          "mc_eid",
          "mkt_tok",
          "_hsenc",
          "_hsmi",
          "__hstc",
          "__hssc",
          "__hsfp",
          "hsctatracking",
          "_ga",
          "_gl",
          "_openstat",
          "oly_anon_id",
          "oly_enc_id",
          "vero_id",
          "vero_conv",
          "wickedid",
          "rb_clickid",
          "s_cid",
          "ml_subscriber",
          "ml_subscriber_hash",
          "pk_*",
          "mtm_*",
          "matomo_*",
          "piwik_*",
          "srsltid",
          "sc_campaign",
          "sc_channel",
          "sc_content",
          "sc_medium",
          "sc_outcome",
          "sc_geo",
          "sc_country",
          "epik",
          "at_campaign",
          "at_medium",
          "wt_mc",
          "wt_zmc");

  private final Set<String> names = new HashSet<>();
  private final List<String> starts = new ArrayList<>();
  private final boolean sessions;

  DroppedParameters(UrlRules rules) {
    sessions = rules.dropSessions();
    if (rules.dropTracking()) TRACKING.forEach(this::add);
    rules.dropParameters().forEach(this::add);
  }

  private void add(String pattern) {
    var name = pattern.strip().toLowerCase(Locale.ROOT);
    if (name.endsWith("*")) starts.add(name.substring(0, name.length() - 1));
    else names.add(name);
  }

  boolean holds(String parameter) {
    int end = parameter.indexOf('=');
    var name = (end < 0 ? parameter : parameter.substring(0, end)).toLowerCase(Locale.ROOT);
    if (names.contains(name)) return true;
    for (var start : starts) {
      if (name.startsWith(start)) return true;
    }
    return sessions && SessionIds.isParameter(name, end < 0 ? "" : parameter.substring(end + 1));
  }
}
