package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageText;
import java.util.List;

/// Pages and shapes of texts: every body has an answer, and no shape changes the words.
public final class PageTarget {
  private PageTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    if (data.consumeBoolean()) body(data.consumeRemainingAsBytes());
    else shape(data);
  }

  private static void body(byte[] body) {
    if (PageCodec.decode(body) instanceof Decoded.Message(var page)
        && !(PageCodec.decode(PageCodec.encode(page)) instanceof Decoded.Message<?>)) {
      throw new AssertionError("not readable again");
    }
    PageCodec.decodeGone(body);
  }

  private static void shape(FuzzedDataProvider data) {
    var shape = data.consumeBytes(data.consumeInt(0, 200));
    var lower = new PageText(data.consumeRemainingAsString(), List.of()).normalised();
    if (!PageText.of(lower, shape).normalised().equals(lower)) throw new AssertionError(lower);
  }
}
