package io.tidemill.cli;

import static io.tidemill.cli.resource.Listing.text;
import static io.tidemill.cli.resource.Listing.time;

import io.tidemill.cli.resource.ListFilter;
import io.tidemill.cli.resource.Listing;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// `tidemill audit`
final class AuditList {
  static final Listing ENTRIES =
      new Listing(
          "audit",
          "Show who changed what, the newest first; needs an admin's key.",
          "--who alice --limit 10",
          new Listing.Source("/api/audit", "audit", 1_000, false),
          List.of(
              ListFilter.any("--who", "NAME", "Only this name, key mark, or anonymous.", "who"),
              ListFilter.any(
                  "--action",
                  "TEXT",
                  "Only where method and route have this in them, such as 'POST /api/crawls'.",
                  "action")),
          "%s  %-24s %-15s %s  %s %s  %s",
          AuditList::cells,
          (_, _) -> "nothing was changed");

  private AuditList() {}

  private static List<String> cells(JsonNode entry) {
    var role = text(entry, "role");
    return List.of(
        time(entry, "at"),
        text(entry, "who") + (role.isEmpty() ? "" : " (" + role + ")"),
        text(entry, "address"),
        text(entry, "status"),
        text(entry, "method"),
        text(entry, "path"),
        text(entry, "detail"));
  }
}
