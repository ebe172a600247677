package io.tidemill.bench.raw;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/// Finds the ten best pages for some words with Lucene alone, and reads what a list of results
/// shows of them.
public final class RawSearch implements AutoCloseable {
  private static final Set<String> SHOWN = Set.of(RawLucene.URL, RawLucene.TITLE);

  private final FSDirectory folder;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private final QueryBuilder builder = new QueryBuilder(new EnglishAnalyzer());

  public RawSearch(Path dir) throws IOException {
    folder = FSDirectory.open(dir);
    reader = DirectoryReader.open(folder);
    searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
  }

  /// How many were found, about.
  public long search(String words) throws IOException {
    var query = new BooleanQuery.Builder();
    for (var field : new String[] {RawLucene.MAIN, RawLucene.TITLE}) {
      var one = builder.createBooleanQuery(field, words);
      if (one != null) query.add(one, Occur.SHOULD);
    }
    var found = searcher.search(query.build(), 10);
    for (var hit : found.scoreDocs) searcher.storedFields().document(hit.doc, SHOWN);
    return found.totalHits.value();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    folder.close();
  }
}
