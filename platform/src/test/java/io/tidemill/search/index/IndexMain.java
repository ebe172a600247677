package io.tidemill.search.index;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;

import io.tidemill.search.PageChange;
import io.tidemill.search.query.SamplePageDocuments;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;

/// Indexes without end, and says what is durable.
public final class IndexMain {
  private static final int BATCH = 10;

  private IndexMain() {}

  static String url(int number) {
    return "https://example.org/" + number;
  }

  /// @param arguments the index' folder, and the number of the first page
  public static void main(String[] arguments) {
    try (var index = new LuceneIndex(Path.of(arguments[0]), CONFIG, InstantSource.system())) {
      System.out.println("ready 1");
      for (var next = Integer.parseInt(arguments[1]); ; next += BATCH) {
        var batch = new ArrayList<PageChange>();
        for (var i = next; i < next + BATCH; i++)
          batch.add(SamplePageDocuments.put(url(i), "page " + i, AT));
        index.apply(batch);
        System.out.println("applied " + (next + BATCH) + ".");
      }
    }
  }
}
