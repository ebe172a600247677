package io.tidemill.search.passage;

import io.tidemill.embedding.Embedding.Part;
import io.tidemill.lucene.DerivedIndex;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.index.PageChangeLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;

/// The passages of pages with their vectors, in an index of their own beside that of the pages: so
/// pages never wait for vectors, which cost a thousand times as much.
///
/// How far it has come is a part of each commit: whoever goes on after a crash does the last few
/// pages again, and nothing twice.
public final class PassageIndex implements AutoCloseable {
  static final String ID = "id";
  static final String HASH = "hash";
  static final String VECTOR = "vector";
  static final String START = "start";
  static final String END = "end";

  /// The page and its text as one term, on the first of its passages.
  private static final String PAGE = "page";

  private static final String MODEL = "model";
  private static final String UP_TO = "upTo";
  private static final String OLD_UP_TO = "oldUpTo";

  private final FSDirectory directory;
  private final IndexWriter writer;
  private final String model;
  private Progress progress;

  /// How far the passages have come.
  ///
  /// @param upTo the last change of the pages that is in here
  /// @param oldUpTo the last page in here of those that have no number
  record Progress(long upTo, String oldUpTo) {
    static final Progress NONE = new Progress(0, "");

    static Progress of(Map<String, String> marks) {
      return new Progress(
          Long.parseLong(marks.getOrDefault(UP_TO, "0")), marks.getOrDefault(OLD_UP_TO, ""));
    }
  }

  /// Where the passages of an index of pages are.
  public static Path beside(Path index) {
    return index.resolveSibling(index.getFileName() + "-passages");
  }

  /// Opens it, or makes an empty one; what another model made, or what is damaged, is worth nothing
  /// and is dropped.
  ///
  /// @throws SearchException when another process writes there
  PassageIndex(Path dir, String model) throws IOException {
    this.model = model;
    directory = FSDirectory.open(dir);
    IndexWriter opened = null;
    try {
      var known = DerivedIndex.marks(directory);
      var config = new IndexWriterConfig().setCommitOnClose(false);
      if (known.isEmpty()) config.setOpenMode(OpenMode.CREATE);
      opened = new IndexWriter(directory, config);
      writer = opened;
      progress = Progress.of(known);
      if (!model.equals(known.get(MODEL))) clear();
    } catch (LockObtainFailedException taken) {
      directory.close();
      throw new SearchException("another process is writing the passages in " + dir, taken);
    } catch (IOException | RuntimeException failed) {
      if (opened != null) opened.rollback();
      directory.close();
      throw failed;
    }
  }

  /// What readers must find in a commit to use it.
  static boolean isOf(String model, Map<String, String> marks) {
    return model.equals(marks.get(MODEL));
  }

  Progress progress() {
    return progress;
  }

  /// Forgets everything.
  void clear() throws IOException {
    writer.deleteAll();
    commit(Progress.NONE);
  }

  /// Begins again with the first change; passages that are here already stay.
  void rewind() {
    progress = Progress.NONE;
  }

  /// Which of these pages have their passages here already, with the text they have now.
  List<Boolean> has(List<PageChangeLog.Text> pages) throws IOException {
    try (var reader = DirectoryReader.open(writer)) {
      var searcher = new IndexSearcher(reader);
      var known = new ArrayList<Boolean>();
      for (var page : pages) known.add(searcher.count(new TermQuery(version(page))) > 0);
      return known;
    }
  }

  private static Term version(PageChangeLog.Text page) {
    return new Term(PAGE, page.hash() + " " + page.id());
  }

  void put(PageChangeLog.Text page, List<Part> parts) throws IOException {
    var documents = new ArrayList<Document>();
    for (var part : parts) documents.add(document(page, part));
    if (!documents.isEmpty()) {
      documents.getFirst().add(new StringField(PAGE, version(page).text(), Field.Store.NO));
    }
    writer.updateDocuments(new Term(ID, page.id()), documents);
  }

  private static Document document(PageChangeLog.Text page, Part part) {
    var document = new Document();
    document.add(new StringField(ID, page.id(), Field.Store.YES));
    document.add(new StoredField(HASH, page.hash()));
    document.add(new StoredField(START, part.passage().start()));
    document.add(new StoredField(END, part.passage().end()));
    var likeness = VectorSimilarityFunction.DOT_PRODUCT;
    document.add(new KnnFloatVectorField(VECTOR, part.vector(), likeness));
    return document;
  }

  void remove(String id) throws IOException {
    writer.deleteDocuments(new Term(ID, id));
  }

  /// The pages that have passages here.
  List<String> pages() throws IOException {
    try (var reader = DirectoryReader.open(writer)) {
      var terms = MultiTerms.getTerms(reader, ID);
      if (terms == null) return List.of();
      var ids = new ArrayList<String>();
      var at = terms.iterator();
      for (var id = at.next(); id != null; id = at.next()) ids.add(id.utf8ToString());
      return ids;
    }
  }

  /// Makes everything so far durable, together with how far that is.
  void commit(Progress reached) throws IOException {
    writer.setLiveCommitData(
        Map.of(MODEL, model, UP_TO, Long.toString(reached.upTo()), OLD_UP_TO, reached.oldUpTo())
            .entrySet());
    writer.commit();
    progress = reached;
  }

  /// Drops what was not committed.
  @Override
  public void close() throws IOException {
    try (directory) {
      writer.rollback();
    }
  }
}
