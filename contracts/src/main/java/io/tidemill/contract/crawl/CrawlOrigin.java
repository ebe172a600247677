package io.tidemill.contract.crawl;

import java.util.LinkedHashMap;
import java.util.Map;

/// The headers of a request that its response carries back byte for byte (C1.2).
public record CrawlOrigin(Map<String, byte[]> headers) {
  public CrawlOrigin {
    headers = new LinkedHashMap<>(headers);
  }

  /// Of all headers those that go back.
  public static CrawlOrigin of(Map<String, byte[]> all) {
    var copied = new LinkedHashMap<String, byte[]>();
    for (var name : new String[] {CrawlNames.ID, CrawlNames.EMAIL, CrawlNames.CREATED_AT}) {
      var value = all.get(name);
      if (value != null) copied.put(name, value);
    }
    return new CrawlOrigin(copied);
  }
}
