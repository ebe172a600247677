package io.tidemill.bench.raw;

import io.tidemill.search.PageDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.FSDirectory;

/// Pages straight into an index: English words of title and text, no more than a first tutorial
/// does; a page replaces its former version.
public final class RawLucene implements AutoCloseable {
  static final String URL = "url";
  static final String TITLE = "title";
  static final String MAIN = "main";

  private final FSDirectory folder;
  private final IndexWriter writer;
  private final int threads;
  private final ExecutorService pool;

  public RawLucene(Path dir, int threads) throws IOException {
    folder = FSDirectory.open(dir);
    writer = new IndexWriter(folder, new IndexWriterConfig(new EnglishAnalyzer()));
    this.threads = threads;
    pool = Executors.newFixedThreadPool(threads);
  }

  /// Writes all pages, with a commit after each `together` of them.
  public void write(List<PageDocument> pages, int together)
      throws IOException, InterruptedException {
    for (int start = 0; start < pages.size(); start += together) {
      commit(pages.subList(start, Math.min(pages.size(), start + together)));
    }
  }

  private void commit(List<PageDocument> pages) throws IOException, InterruptedException {
    var next = new AtomicInteger();
    Parallel.run(
        pool,
        threads,
        () -> {
          for (int i; (i = next.getAndIncrement()) < pages.size(); ) write(pages.get(i));
          return null;
        });
    writer.commit();
  }

  private void write(PageDocument page) throws IOException {
    var document = new Document();
    document.add(new StringField(URL, page.url(), Store.YES));
    document.add(new TextField(TITLE, page.title(), Store.YES));
    document.add(new TextField(MAIN, page.main(), Store.YES));
    writer.updateDocument(new Term(URL, page.url()), document);
  }

  @Override
  public void close() throws IOException {
    pool.shutdown();
    writer.close();
    folder.close();
  }
}
