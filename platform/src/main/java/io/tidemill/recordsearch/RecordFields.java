package io.tidemill.recordsearch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;

/// Converts records to Lucene documents and back.
final class RecordFields {
  static final String KEY = "key";
  static final String KIND = "kind";
  static final String ID = "id";
  static final String IDS = "ids";
  static final String TITLE = "title";
  static final String TEXT = "text";
  static final String WORDS = "words";
  static final String STATUS = "status";
  static final String SOURCE = "source";
  static final String AT = "at";
  static final String UNTIL = "until";

  // Prefixes of ids that users leave out.
  private static final List<String> PREFIXES = List.of("wf-", "task-");

  private RecordFields() {}

  static Term key(String kind, String id) {
    return new Term(KEY, kind + " " + id);
  }

  static Document document(IndexedRecord record) {
    var document = new Document();
    document.add(new StringField(KEY, key(record.kind(), record.id()).text(), Field.Store.YES));
    document.add(new StringField(KIND, record.kind(), Field.Store.YES));
    document.add(new StoredField(ID, record.id()));
    for (var id : ids(record.id())) document.add(new StringField(IDS, id, Field.Store.NO));
    document.add(new StoredField(TITLE, record.title()));
    document.add(new StoredField(TEXT, record.text()));
    document.add(new StringField(STATUS, record.status(), Field.Store.YES));
    document.add(new StringField(SOURCE, record.source(), Field.Store.YES));
    document.add(new StoredField(AT, record.at()));
    document.add(new NumericDocValuesField(AT, record.at()));
    document.add(new StoredField(UNTIL, record.until()));
    document.add(new LongPoint(UNTIL, record.until()));
    document.add(new TextField(WORDS, RecordAnalyzer.plain(words(record)), Field.Store.NO));
    return document;
  }

  private static String words(IndexedRecord record) {
    return String.join(
        "\n",
        record.id(),
        record.title(),
        record.kind(),
        record.status(),
        record.source(),
        record.text());
  }

  private static Set<String> ids(String id) {
    var lower = id.toLowerCase(Locale.ROOT);
    var ids = new LinkedHashSet<>(Set.of(lower));
    for (var prefix : PREFIXES) {
      if (lower.startsWith(prefix) && lower.length() > prefix.length()) {
        ids.add(lower.substring(prefix.length()));
      }
    }
    var colon = lower.indexOf(':');
    if (colon >= 0 && colon + 1 < lower.length()) ids.add(lower.substring(colon + 1));
    return ids;
  }

  static IndexedRecord record(Document document) {
    return new IndexedRecord(
        document.get(KIND),
        document.get(ID),
        document.get(TITLE),
        document.get(TEXT),
        document.get(STATUS),
        document.getField(AT).numericValue().longValue(),
        document.get(SOURCE),
        document.getField(UNTIL).numericValue().longValue());
  }
}
