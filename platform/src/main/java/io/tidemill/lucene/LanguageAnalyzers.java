package io.tidemill.lucene;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianStemFilter;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fa.PersianNormalizationFilter;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianStemFilter;
import org.apache.lucene.analysis.in.IndicNormalizationFilter;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.th.ThaiTokenizer;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.ElisionFilter;

/// The analyzers of all languages; a language without one of its own is analysed as English.
public final class LanguageAnalyzers {
  public static final String ENGLISH = "en";

  /// The analyzer of Chinese, Japanese and Korean, by pairs of characters.
  private static final String CJK = "ja";

  private static final Set<String> CJK_LANGUAGES = Set.of("zh", "ja", "ko");

  /// @param stopWords loaded when the language is first used
  private record Rules(
      UnaryOperator<TokenStream> normalise,
      UnaryOperator<TokenStream> stem,
      Supplier<CharArraySet> stopWords) {}

  private static final Map<String, Rules> RULES =
      Map.ofEntries(
          entry(
              "en",
              new Rules(
                  EnglishPossessiveFilter::new,
                  PorterStemFilter::new,
                  EnglishAnalyzer::getDefaultStopSet)),
          entry(
              "de",
              new Rules(
                  GermanNormalizationFilter::new,
                  GermanLightStemFilter::new,
                  GermanAnalyzer::getDefaultStopSet)),
          entry(
              "fr",
              new Rules(
                  in -> new ElisionFilter(in, FrenchAnalyzer.DEFAULT_ARTICLES),
                  FrenchLightStemFilter::new,
                  FrenchAnalyzer::getDefaultStopSet)),
          entry("es", rules(SpanishLightStemFilter::new, SpanishAnalyzer::getDefaultStopSet)),
          entry(
              "it",
              new Rules(
                  in -> new ElisionFilter(in, articles("l", "un", "dell", "all", "nell", "d")),
                  ItalianLightStemFilter::new,
                  ItalianAnalyzer::getDefaultStopSet)),
          entry("pt", rules(PortugueseLightStemFilter::new, PortugueseAnalyzer::getDefaultStopSet)),
          entry("nl", rules(snowball("Dutch"), DutchAnalyzer::getDefaultStopSet)),
          entry("ru", rules(RussianLightStemFilter::new, RussianAnalyzer::getDefaultStopSet)),
          entry("sv", rules(SwedishLightStemFilter::new, SwedishAnalyzer::getDefaultStopSet)),
          entry("da", rules(snowball("Danish"), DanishAnalyzer::getDefaultStopSet)),
          entry("no", rules(NorwegianLightStemFilter::new, NorwegianAnalyzer::getDefaultStopSet)),
          entry("fi", rules(FinnishLightStemFilter::new, FinnishAnalyzer::getDefaultStopSet)),
          entry("hu", rules(HungarianLightStemFilter::new, HungarianAnalyzer::getDefaultStopSet)),
          entry("tr", rules(snowball("Turkish"), TurkishAnalyzer::getDefaultStopSet)),
          entry("ro", rules(snowball("Romanian"), RomanianAnalyzer::getDefaultStopSet)),
          entry("cs", rules(CzechStemFilter::new, CzechAnalyzer::getDefaultStopSet)),
          entry("bg", rules(BulgarianStemFilter::new, BulgarianAnalyzer::getDefaultStopSet)),
          entry("el", rules(GreekStemFilter::new, GreekAnalyzer::getDefaultStopSet)),
          entry(
              "ar",
              new Rules(
                  in -> new ArabicNormalizationFilter(new DecimalDigitFilter(in)),
                  ArabicStemFilter::new,
                  ArabicAnalyzer::getDefaultStopSet)),
          entry(
              "fa",
              new Rules(
                  in ->
                      new PersianNormalizationFilter(
                          new ArabicNormalizationFilter(new DecimalDigitFilter(in))),
                  UnaryOperator.identity(),
                  PersianAnalyzer::getDefaultStopSet)),
          entry(
              "hi",
              new Rules(
                  in ->
                      new HindiNormalizationFilter(
                          new IndicNormalizationFilter(new DecimalDigitFilter(in))),
                  HindiStemFilter::new,
                  HindiAnalyzer::getDefaultStopSet)),
          entry("id", rules(IndonesianStemFilter::new, IndonesianAnalyzer::getDefaultStopSet)),
          entry("lv", rules(LatvianStemFilter::new, LatvianAnalyzer::getDefaultStopSet)),
          entry("lt", rules(snowball("Lithuanian"), LithuanianAnalyzer::getDefaultStopSet)),
          entry("et", rules(snowball("Estonian"), EstonianAnalyzer::getDefaultStopSet)),
          entry(
              "ca",
              new Rules(
                  in -> new ElisionFilter(in, articles("d", "l", "m", "n", "s", "t")),
                  snowball("Catalan"),
                  CatalanAnalyzer::getDefaultStopSet)),
          entry("eu", rules(snowball("Basque"), BasqueAnalyzer::getDefaultStopSet)),
          entry("hy", rules(snowball("Armenian"), ArmenianAnalyzer::getDefaultStopSet)),
          entry("th", rules(UnaryOperator.identity(), ThaiAnalyzer::getDefaultStopSet)));

  private static final Map<String, Analyzer> ANALYZERS = analyzers();
  private static final Analyzer DEFAULT = Objects.requireNonNull(ANALYZERS.get(ENGLISH));

  private LanguageAnalyzers() {}

  /// The name of the analyzer for a text: by its language, or by its script when that is unknown.
  public static String rulesFor(String language, String text) {
    var name = code(language);
    if (CJK_LANGUAGES.contains(name) || (!ANALYZERS.containsKey(name) && isCjk(text))) return CJK;
    return ANALYZERS.containsKey(name) ? name : ENGLISH;
  }

  /// The analyzer behind a name that [#rulesFor] gave.
  public static Analyzer analyzer(String rules) {
    var known = ANALYZERS.get(rules);
    return known == null ? DEFAULT : known;
  }

  /// Whether a word is a stop word.
  public static boolean isCommon(String rules, String word) {
    var known = RULES.get(rules);
    return known != null && known.stopWords().get().contains(word.toLowerCase(Locale.ROOT));
  }

  /// Whether a text begins in Chinese, Japanese or Korean characters.
  public static boolean isCjk(String text) {
    var seen = 0;
    var cjk = 0;
    for (var i = 0; i < text.length() && seen < 200; i++) {
      var c = text.charAt(i);
      if (!Character.isLetter(c)) continue;
      seen++;
      if (c >= '\u2e80' && isCjkScript(c)) cjk++;
    }
    return cjk * 3 > seen;
  }

  static boolean isCjkScript(char c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL -> true;
      default -> false;
    };
  }

  /// `de` for `de-AT`; Norwegian's two written forms are one.
  public static String code(String language) {
    var end = 0;
    while (end < language.length() && Character.isLetter(language.charAt(end))) end++;
    var code = language.substring(0, end).toLowerCase(Locale.ROOT);
    return code.equals("nb") || code.equals("nn") ? "no" : code;
  }

  private static Map<String, Analyzer> analyzers() {
    var all = new HashMap<String, Analyzer>();
    RULES.forEach((name, rules) -> all.put(name, new Chain(name, rules)));
    all.put(CJK, new Pairs());
    return Map.copyOf(all);
  }

  private static Rules rules(UnaryOperator<TokenStream> stem, Supplier<CharArraySet> stopWords) {
    return new Rules(UnaryOperator.identity(), stem, stopWords);
  }

  private static UnaryOperator<TokenStream> snowball(String name) {
    return in -> new SnowballFilter(in, name);
  }

  private static CharArraySet articles(String... articles) {
    return new CharArraySet(List.of(articles), true);
  }

  /// Words, their stems, and the words again where they differ.
  private static final class Chain extends Analyzer {
    private final String name;
    private final StemCache forms;

    Chain(String name, Rules rules) {
      this.name = name;
      this.forms =
          new StemCache(
              words -> rules.normalise().apply(lowerCase(words)), rules.stem(), rules.stopWords());
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
      var terms = CachedTerm.FACTORY;
      var words = name.equals("th") ? new ThaiTokenizer(terms) : new StandardTokenizer(terms);
      return new TokenStreamComponents(words, new ExactWordFilter(words, forms));
    }

    private TokenStream lowerCase(TokenStream words) {
      return switch (name) {
        case "tr" -> new TurkishLowerCaseFilter(new ApostropheFilter(words));
        case "el" -> new GreekLowerCaseFilter(words);
        default -> new LowerCaseFilter(words);
      };
    }
  }

  /// Pairs of neighbouring characters, and whole words of other scripts.
  private static final class Pairs extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      var words = new StandardTokenizer();
      var lower = new LowerCaseFilter(new CJKWidthFilter(words));
      var pairs = new CJKBigramFilter(lower);
      return new TokenStreamComponents(words, new ASCIIFoldingFilter(pairs));
    }
  }
}
