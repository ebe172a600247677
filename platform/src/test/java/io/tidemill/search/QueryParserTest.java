package io.tidemill.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.search.QueryClause.Phrase;
import io.tidemill.search.QueryClause.Prefix;
import io.tidemill.search.QueryClause.Scope;
import io.tidemill.search.QueryClause.Word;
import io.tidemill.testing.Corpora;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryParserTest {
  @Test
  void readsWordsPhrasesAndPrefixes() {
    assertThat(QueryParser.read("tide \"old mill\" har*"))
        .containsExactly(
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "tide")), false, false),
            new QueryClause(List.of(new Phrase(Scope.ANYWHERE, "old mill")), true, false),
            new QueryClause(List.of(new Prefix(Scope.ANYWHERE, "har")), true, false));
  }

  @Test
  void readsWhatMustNotAndWhatMustBeThere() {
    assertThat(QueryParser.read("-wind -\"steam engine\" +water"))
        .containsExactly(
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "wind")), false, true),
            new QueryClause(List.of(new Phrase(Scope.ANYWHERE, "steam engine")), true, true),
            new QueryClause(List.of(new Word(Scope.ANYWHERE, "water")), true, false));
  }

  @Test
  void readsScopes() {
    assertThat(
            QueryParser.read("site:example.org TITLE:\"tide mill\" lang:de type:pdf url:harbour"))
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
    assertThat(QueryParser.read("tide OR wind mill"))
        .extracting(clause -> clause.parts().size())
        .containsExactly(2, 1);
  }

  @Test
  void takesWhatMakesNoSenseAsWordsOrNothing() {
    assertThat(QueryParser.read("")).isEmpty();
    assertThat(QueryParser.read(" - + \"\" OR AND * ** ?* ( ) : site: \"")).hasSize(1);
    assertThat(QueryParser.read("OR tide")).hasSize(1);
    assertThat(QueryParser.read("\"never closed")).hasSize(1);
    assertThat(QueryParser.read("a*"))
        .containsExactly(new QueryClause(List.of(new Word(Scope.ANYWHERE, "a")), false, false));
    assertThat(QueryParser.read("*mill"))
        .containsExactly(new QueryClause(List.of(new Word(Scope.ANYWHERE, "mill")), false, false));
  }

  @Test
  void takesNoMoreThanItCanPayFor() { // F50
    assertThat(QueryParser.read("word ".repeat(100_000)).size())
        .isLessThanOrEqualTo(QueryParser.MAX_CLAUSES);
    assertThat(QueryParser.read("wo* ".repeat(60)))
        .filteredOn(clause -> clause.parts().getFirst() instanceof Prefix)
        .hasSize(8);
    assertThat(QueryParser.read("x".repeat(100_000)).getFirst().parts().getFirst().text())
        .hasSize(QueryParser.MAX_LENGTH);
  }

  @Test
  void survivesNaughtyStrings() {
    for (var text : Corpora.naughtyStrings()) assertThat(QueryParser.read(text)).isNotNull();
  }
}
