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

/// The passages of pages with their vectors, in an index of their own: pages never wait for
/// vectors, which cost a thousand times as much.
///
/// Each commit holds the progress, so that after a crash only the last few pages are repeated.
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

  /// The progress of the passages.
  ///
  /// @param upTo the number of the last change
  /// @param oldUpTo the id of the last page without number
  record Progress(long upTo, String oldUpTo) {
    static final Progress NONE = new Progress(0, "");

    static Progress of(Map<String, String> marks) {
      return new Progress(
          Long.parseLong(marks.getOrDefault(UP_TO, "0")), marks.getOrDefault(OLD_UP_TO, ""));
    }
  }

  /// The folder for the passages of an index of pages.
  public static Path beside(Path index) {
    return index.resolveSibling(index.getFileName() + "-passages");
  }

  /// Opens or creates it; passages of another model and damaged ones are dropped.
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

  /// Whether a commit with this user data was made by the model.
  static boolean isOf(String model, Map<String, String> marks) {
    return model.equals(marks.get(MODEL));
  }

  Progress progress() {
    return progress;
  }

  void clear() throws IOException {
    writer.deleteAll();
    commit(Progress.NONE);
  }

  /// Starts again at the first change, and keeps the passages.
  void rewind() {
    progress = Progress.NONE;
  }

  /// Which of these pages have passages of their current text.
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

  /// The ids of the pages that have passages.
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

  /// Commits all changes together with the progress.
  void commit(Progress reached) throws IOException {
    writer.setLiveCommitData(
        Map.of(MODEL, model, UP_TO, Long.toString(reached.upTo()), OLD_UP_TO, reached.oldUpTo())
            .entrySet());
    writer.commit();
    progress = reached;
  }

  /// Drops what is not committed.
  @Override
  public void close() throws IOException {
    try (directory) {
      writer.rollback();
    }
  }
}
