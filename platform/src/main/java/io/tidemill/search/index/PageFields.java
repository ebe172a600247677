package io.tidemill.search.index;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.content.url.WebUrl;
import io.tidemill.lucene.LanguageAnalyzers;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The fields of a page in the index, and the conversion of pages to documents and back.
public final class PageFields {
  /// The identity: the normalised URL.
  public static final String ID = "id";

  /// Title, description and main text, for matching and for most of the score.
  public static final String TEXT = "text";

  public static final String TITLE = "title";
  public static final String REST = "rest";

  /// Whole words as people write them, for completion and spelling.
  public static final String WORDS = "words";

  /// The title as one term, for completion.
  public static final String TITLE_KEY = "titlekey";

  public static final String URL_WORDS = "urlwords";
  public static final String SITE = "site";

  /// The host and all its parent domains.
  public static final String DOMAINS = "domains";

  public static final String LANGUAGE = "language";

  /// The language of the analyzer.
  static final String RULES = "rules";

  public static final String TYPE = "type";

  /// The media type's last part: `pdf`.
  public static final String KIND = "kind";

  /// The crawl that fetched it; pages of older indexes have none until they are fetched again.
  public static final String CRAWL = "from";

  /// When the page was published, or else fetched, in milliseconds.
  public static final String DATE = "date";

  /// When the version was fetched, in microseconds: the latest is kept.
  static final String VERSION = "version";

  /// On the tombstone of a removed page: when it was removed from the index.
  public static final String GONE = "gone";

  /// The identity again, readable by document number.
  private static final String KEY = "key";

  /// The number of the change, in the order of writing; pages of older indexes have none.
  public static final String SEQ = "seq";

  /// The URL as it was fetched; stored where it is spelled differently from the identity.
  private static final String FETCHED_URL = "fetchedurl";

  private static final int LONGEST_ID = 2_000;
  private static final int LONGEST_KEYWORD = 255;
  private static final int LONGEST_TITLE_KEY = 80;
  private static final int WORDS_OF_MAIN = 400;

  public static final Set<String> HIT =
      Set.of(
          "url",
          FETCHED_URL,
          "title",
          "description",
          "main",
          "language",
          "type",
          "status",
          "crawl",
          "hash",
          "message",
          "fetched",
          "published");

  private static final FieldType POSITIONS = type(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS, true);
  private static final FieldType MATCHES = type(IndexOptions.DOCS, false);

  private PageFields() {}

  /// The document of a page; the thread that adds it to the index analyses it.
  public static Document document(PageDocument page, long seq) {
    var rules = LanguageAnalyzers.rulesFor(page.language(), page.main());
    var analyzer = LanguageAnalyzers.analyzer(rules);
    var document = new Document();
    document.add(new StringField(ID, id(page.url()), Field.Store.NO));
    document.add(new BinaryDocValuesField(KEY, idBytes(page.url())));
    document.add(new NumericDocValuesField(VERSION, version(page.fetchedAt())));
    addText(document, page, analyzer);
    addFilters(document, page, rules);
    addStored(document, page);
    addNumber(document, SEQ, seq);
    return document;
  }

  /// The tombstone of a removed page, so that an older message can't bring it back (F38).
  static Document tombstone(PageChange.Remove removal, Instant now, long seq) {
    var document = new Document();
    document.add(new StringField(ID, id(removal.url()), Field.Store.YES));
    document.add(new NumericDocValuesField(VERSION, version(removal.at())));
    addNumber(document, GONE, now.toEpochMilli());
    addNumber(document, SEQ, seq);
    return document;
  }

  /// A tombstone, copied from an index.
  static Document tombstone(LeafReader leaf, int doc, long seq) throws IOException {
    var document = new Document();
    var id = leaf.storedFields().document(doc).get(ID);
    document.add(new StringField(ID, id == null ? "" : id, Field.Store.YES));
    for (var name : new String[] {VERSION, GONE}) {
      var values = DocValues.getNumeric(leaf, name);
      var value = values.advanceExact(doc) ? values.longValue() : 0;
      document.add(new NumericDocValuesField(name, value));
      if (name.equals(GONE)) document.add(new LongPoint(name, value));
    }
    addNumber(document, SEQ, seq);
    return document;
  }

  private static void addText(Document document, PageDocument page, Analyzer analyzer) {
    document.add(new Text(TEXT, page.title(), analyzer, POSITIONS));
    if (!page.description().isEmpty()) {
      document.add(new Text(TEXT, page.description(), analyzer, POSITIONS));
    }
    document.add(new Text(TEXT, page.main(), analyzer, POSITIONS));
    document.add(new Text(TITLE, page.title(), analyzer, POSITIONS));
    if (!page.rest().isEmpty()) document.add(new Text(REST, page.rest(), analyzer, POSITIONS));
    var beginning = page.main().substring(0, Math.min(page.main().length(), WORDS_OF_MAIN));
    document.add(new Text(WORDS, page.title() + "\n" + beginning, WordTokens.ANALYZER, MATCHES));
    var key = titleKey(page.title());
    if (!key.isEmpty()) document.add(new StringField(TITLE_KEY, key, Field.Store.NO));
    document.add(new Text(URL_WORDS, urlWords(page.url()), WordTokens.ANALYZER, MATCHES));
  }

  private static void addFilters(Document document, PageDocument page, String rules) {
    var site = site(page.url());
    addKeyword(document, SITE, clip(site));
    for (var domain = clip(site); !domain.isEmpty(); domain = parent(domain)) {
      document.add(new StringField(DOMAINS, domain, Field.Store.NO));
    }
    var type = clip(page.type().toLowerCase(Locale.ROOT));
    addKeyword(document, LANGUAGE, LanguageAnalyzers.code(clip(page.language())));
    document.add(new StringField(RULES, rules, Field.Store.NO));
    addKeyword(document, TYPE, type);
    document.add(new StringField(KIND, type.substring(type.lastIndexOf('/') + 1), Field.Store.NO));
    if (!page.crawlId().isEmpty()) {
      document.add(new StringField(CRAWL, clip(page.crawlId()), Field.Store.NO));
    }
    var published = page.publishedAt();
    var date = published == null ? page.fetchedAt() : published;
    addNumber(document, DATE, version(date) / 1_000);
  }

  /// For filters and for sorting.
  private static void addNumber(Document document, String name, long value) {
    document.add(new LongPoint(name, value));
    document.add(new NumericDocValuesField(name, value));
  }

  /// For filters and for counting.
  private static void addKeyword(Document document, String name, String value) {
    document.add(new StringField(name, value, Field.Store.NO));
    document.add(new SortedDocValuesField(name, new BytesRef(value)));
  }

  private static void addStored(Document document, PageDocument page) {
    document.add(new StoredField("url", page.url()));
    document.add(new StoredField("title", page.title()));
    document.add(new StoredField("description", page.description()));
    document.add(new StoredField("main", page.main()));
    // Not when empty: a field that begins as stored only can't be indexed later.
    if (!page.rest().isEmpty()) document.add(new StoredField("rest", page.rest()));
    if (!page.fetchedUrl().equals(page.url())) {
      document.add(new StoredField(FETCHED_URL, page.fetchedUrl()));
    }
    document.add(new StoredField("language", page.language()));
    document.add(new StoredField("type", page.type()));
    document.add(new StoredField("status", page.statusCode()));
    document.add(new StoredField("fetched", version(page.fetchedAt())));
    var published = page.publishedAt();
    if (published != null) document.add(new StoredField("published", version(published)));
    document.add(new StoredField("crawl", page.crawlId()));
    document.add(new StoredField("hash", page.contentHash()));
    document.add(new StoredField("message", page.messageId()));
  }

  /// The page of stored fields; what was not loaded is empty.
  public static PageDocument page(Document stored) {
    var published = stored.getField("published");
    var url = text(stored, "url");
    var fetchedUrl = text(stored, FETCHED_URL);
    return new PageDocument(
        url,
        fetchedUrl.isEmpty() ? url : fetchedUrl,
        text(stored, "title"),
        text(stored, "description"),
        text(stored, "main"),
        text(stored, "rest"),
        text(stored, "language"),
        text(stored, "type"),
        (int) number(stored, "status"),
        instant(number(stored, "fetched")),
        published == null ? null : instant(number(stored, "published")),
        text(stored, "crawl"),
        text(stored, "hash"),
        text(stored, "message"));
  }

  /// The id of a page by document number; empty for a tombstone.
  public static String id(IndexReader reader, int doc) throws IOException {
    var leaf = reader.leaves().get(ReaderUtil.subIndex(doc, reader.leaves()));
    var keys = DocValues.getBinary(leaf.reader(), KEY);
    if (keys.advanceExact(doc - leaf.docBase)) return keys.binaryValue().utf8ToString();
    // Documents of older indexes have no key.
    var url = reader.storedFields().document(doc, Set.of("url")).get("url");
    return url == null ? "" : id(url);
  }

  /// The text beside the main text.
  public static String rest(StoredFields stored, int doc) throws IOException {
    return text(stored.document(doc, Set.of("rest")), "rest");
  }

  private static String text(Document stored, String name) {
    var value = stored.get(name);
    return value == null ? "" : value;
  }

  private static long number(Document stored, String name) {
    var field = stored.getField(name);
    var value = field == null ? null : field.numericValue();
    return value == null ? 0 : value.longValue();
  }

  /// An instant as microseconds, clamped to what fits.
  public static long version(Instant at) {
    if (at.isBefore(Instant.EPOCH.minus(1_000_000, ChronoUnit.DAYS))) return Long.MIN_VALUE / 4;
    if (at.isAfter(Instant.EPOCH.plus(10_000_000, ChronoUnit.DAYS))) return Long.MAX_VALUE / 4;
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  static Instant instant(long version) {
    return Instant.EPOCH.plus(version, ChronoUnit.MICROS);
  }

  /// The id of a URL: a term of bounded length.
  public static String id(String url) {
    return url.length() <= LONGEST_ID ? url : "sha256:" + sha256(url);
  }

  static String sha256(String text) {
    return Digest.sha256().add(text).hex();
  }

  static BytesRef idBytes(String url) {
    return new BytesRef(id(url));
  }

  public static String site(String url) {
    return WebUrl.parse(url).map(WebUrl::host).orElse("");
  }

  /// The domain above; empty above a top-level domain.
  private static String parent(String domain) {
    var dot = domain.indexOf('.');
    return dot < 0 ? "" : domain.substring(dot + 1);
  }

  /// A title as a key for completion.
  static String titleKey(String title) {
    var plain = WordTokens.fold(title.strip()).replaceAll("\\s+", " ");
    return plain.length() <= LONGEST_TITLE_KEY ? plain : "";
  }

  private static String urlWords(String url) {
    var clipped = url.substring(0, Math.min(url.length(), LONGEST_ID));
    return clipped.replaceAll("^\\w+://(www\\.)?", "").replaceAll("[^\\p{L}\\p{N}]+", " ");
  }

  private static String clip(String keyword) {
    return keyword.substring(0, Math.min(keyword.length(), LONGEST_KEYWORD));
  }

  private static FieldType type(IndexOptions options, boolean norms) {
    var type = new FieldType();
    type.setTokenized(true);
    type.setOmitNorms(!norms);
    type.setIndexOptions(options);
    type.freeze();
    return type;
  }

  /// A field with its own analyzer: pages of many languages share one index.
  private static final class Text extends Field {
    private final Analyzer analyzer;
    private final String text;

    Text(String name, String text, Analyzer analyzer, FieldType type) {
      super(name, text, type);
      this.text = text;
      this.analyzer = analyzer;
    }

    @Override
    public TokenStream tokenStream(Analyzer ignored, @Nullable TokenStream reuse) {
      return analyzer.tokenStream(name(), text);
    }
  }
}
