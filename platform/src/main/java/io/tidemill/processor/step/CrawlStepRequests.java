package io.tidemill.processor.step;

import io.tidemill.api.StepCall;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.crawl.CrawlCodec;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.json.Json;
import io.tidemill.processor.option.OptionReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The crawls that the step `crawl` starts: named by its options, or by its input records.
record CrawlStepRequests(StepsConfig config) {

  /// Refuses options that no crawl could be started with.
  void check(ObjectNode given) throws WorkFailure {
    var options = options(given);
    submissions(options, named(options));
  }

  List<CrawlSubmission> of(StepCall call) throws WorkFailure, IOException {
    var options = options(call.options());
    var urls = named(options);
    if (urls.isEmpty()) fromRecords(call, urls);
    if (urls.isEmpty()) {
      throw options.wrong("url", "is missing: expected url, urls or records that have a url");
    }
    return submissions(options, urls);
  }

  private static OptionReader options(ObjectNode given) throws WorkFailure {
    return OptionReader.of(StepForms.CRAWL, given);
  }

  private List<CrawlSubmission> submissions(OptionReader options, Set<String> urls)
      throws WorkFailure {
    var owner = options.text("email", config.crawlOwner());
    var submissions = new ArrayList<CrawlSubmission>();
    for (var url : urls) submissions.add(submission(options, owner, url));
    return submissions;
  }

  private Set<String> named(OptionReader options) throws WorkFailure {
    var urls = new LinkedHashSet<String>(options.texts("urls", config.maxCrawls()));
    var url = options.text("url");
    if (url != null) urls.add(url);
    if (urls.isEmpty() && options.get("urls") != null) throw options.wrong("urls", "is empty");
    return urls;
  }

  private void fromRecords(StepCall call, Set<String> urls) throws IOException, WorkFailure {
    try (var reader = call.input().open()) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        var url = record.path("url").asString("");
        if (!url.isEmpty()) urls.add(url);
        if (urls.size() > config.maxCrawls()) {
          throw WorkFailure.permanent(
              OptionReader.INVALID,
              "crawl: the records name more than %d URLs".formatted(config.maxCrawls()));
        }
      }
    }
  }

  private static CrawlSubmission submission(OptionReader options, String owner, String url)
      throws WorkFailure {
    var body = options.tree().deepCopy();
    body.remove("urls");
    body.put("email", owner).put("url", url);
    switch (CrawlCodec.decodeSubmission(Json.bytes(body))) {
      case Decoded.Message(var submission) -> {
        var fault = CrawlStarter.fault(submission);
        if (fault.isPresent()) throw refused(url, fault.get());
        return submission;
      }
      case Decoded.Malformed(var why) -> throw refused(url, why);
      case Decoded.Unreadable(var why) -> throw refused(url, why);
    }
  }

  private static WorkFailure refused(String url, String why) {
    return WorkFailure.permanent(
        OptionReader.INVALID, "crawl: %s (for %s)".formatted(why, OptionReader.cut(url, 200)));
  }
}
