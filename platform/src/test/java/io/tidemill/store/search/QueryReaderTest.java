package io.tidemill.store.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.store.search.QueryClause.Phrase;
import io.tidemill.store.search.QueryClause.Prefix;
import io.tidemill.store.search.QueryClause.Scope;
import io.tidemill.store.search.QueryClause.Word;
import io.tidemill.support.Corpora;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryReaderTest {
  @Test
  void readsWordsPhrasesAndPrefixes() {
    assertThat(QueryReader.read("tide \"old mill\" har*"))
        .containsExactly(
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "tide")), false, false),
            new QueryClause(List.of(new Phrase(Scope.ANYWHERE, "old mill")), true, false),
            new QueryClause(List.of(new Prefix(Scope.ANYWHERE, "har")), true, false));
  }

  @Test
  void readsWhatMustNotAndWhatMustBeThere() {
    assertThat(QueryReader.read("-wind -\"steam engine\" +water"))
        .containsExactly(
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "wind")), false, true),
            new QueryClause(List.of(new Phrase(Scope.ANYWHERE, "steam engine")), true, true),
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "water")), true, false));
  }

  @Test
  void readsScopes() {
    assertThat(
            QueryReader.read("site:example.org TITLE:\"tide mill\" lang:de type:pdf url:harbour"))
        .extracting(clause -> clause.parts().getFirst())
        .containsExactly(
            new Word(Scope.SITE, "example.org"),
            new Phrase(Scope.TITLE, "tide mill"),
            new Word(Scope.LANGUAGE, "de"),
            new Word(Scope.TYPE, "pdf"),
            new Word(Scope.URL, "harbour"));
  }

  @Test
  void readsAlternatives() {
    assertThat(QueryReader.read("tide OR wind mill"))
        .extracting(clause -> clause.parts().size())
        .containsExactly(2, 1);
  }

  @Test
  void takesWhatMakesNoSenseAsWordsOrNothing() {
    assertThat(QueryReader.read("")).isEmpty();
    assertThat(QueryReader.read(" - + \"\" OR AND * ** ?* ( ) : site: \"")).hasSize(1);
    assertThat(QueryReader.read("OR tide")).hasSize(1);
    assertThat(QueryReader.read("\"never closed")).hasSize(1);
    assertThat(QueryReader.read("a*"))
        .containsExactly(new QueryClause(List.of(new Word(Scope.ANYWHERE, "a")), false, false));
    assertThat(QueryReader.read("*mill"))
        .containsExactly(new QueryClause(List.of(new Word(Scope.ANYWHERE, "mill")), false, false));
  }

  @Test
  void takesNoMoreThanItCanPayFor() { // F50
    assertThat(QueryReader.read("word ".repeat(100_000)).size())
        .isLessThanOrEqualTo(QueryReader.MAX_CLAUSES);
    assertThat(QueryReader.read("wo* ".repeat(60)))
        .filteredOn(clause -> clause.parts().getFirst() instanceof Prefix)
        .hasSize(8);
    assertThat(QueryReader.read("x".repeat(100_000)).getFirst().parts().getFirst().text())
        .hasSize(QueryReader.MAX_LENGTH);
  }

  @Test
  void survivesNaughtyStrings() {
    for (var text : Corpora.naughtyStrings()) assertThat(QueryReader.read(text)).isNotNull();
  }
}
