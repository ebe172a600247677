package io.tidemill.content.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

class LanguageDetectorTest {
  private static final LanguageDetector LANGUAGES = new LanguageDetector();

  @ParameterizedTest
  @CsvSource({
    "en, The tide comes in and the mill begins to turn",
    "de, Die Flut kommt und die Mühle beginnt sich zu drehen",
    "fr, La marée monte et le moulin commence à tourner",
    "es, Cuando sube la marea el molino comienza a dar vueltas",
    "nl, Het tij komt op en de molen begint te draaien",
    "ru, Прилив поднимается и мельница начинает вращаться",
    "uk, Приплив піднімається і млин починає обертатися",
    "bg, Приливът идва и мелницата започва да се върти",
    "ar, المد يرتفع والطاحونة تبدأ في الدوران",
    "fa, جزر و مد بالا می‌آید و آسیاب شروع به چرخیدن می‌کند",
    "ja, 潮が満ちて水車が回り始める",
    "zh, 潮水上涨水车开始转动",
    "ko, 밀물이 들어오면 방앗간이 돌기 시작한다",
    "el, Η παλίρροια ανεβαίνει και ο μύλος αρχίζει να γυρίζει",
    "he, הגאות עולה והטחנה מתחילה להסתובב",
    "th, น้ำขึ้นและโรงสีเริ่มหมุน"
  })
  void tellsTheLanguageOfASentence(String language, String sentence) {
    assertThat(LANGUAGES.detect(sentence, null)).isEqualTo(language);
  }

  @ParameterizedTest
  @CsvSource({
    "nb, Jeg vet ikke hva hun sier om den gamle møllen ved havet",
    "nn, Eg veit ikkje kva ho seier om den gamle mølla ved havet",
    "hr, Tijekom tjedna nitko nije čuo vlak u Europi",
    "bs, Tokom sedmice niko nije čuo voz u Evropi",
    "id, Dia tidak bisa datang karena mobil itu rusak",
    "ms, Beliau tidak boleh datang kerana kereta itu rosak",
    "da, Jeg ved ikke hvad hun siger om den gamle mølle ved havet",
    "om, Namni hundi mirga barachuu qaba jechuun itti fufe",
    "om, Barattoonni mana barumsaa keessatti afaan Oromoo barachaa jiru",
    "sw, Watoto wote wanasoma Kiswahili shuleni pamoja na mwalimu wao Hassan kila siku ya wiki mjini",
    "so, Dadka oo dhan waxay dhashaan iyagoo xor ah oo Twitter ku leh sharafta iyo xuquuqda waddanka"
  })
  void tellsNearRelativesApart(String language, String sentence) {
    assertThat(LANGUAGES.detect(sentence, null)).isEqualTo(language);
  }

  @Test
  void believesAHintWhenThereIsTooLittleText() {
    assertThat(LANGUAGES.detect("Menu", "de-AT")).isEqualTo("de");
    assertThat(LANGUAGES.detect("42 + 7", "pt_BR")).isEqualTo("pt");
    assertThat(LANGUAGES.detect("", null)).isEmpty();
  }

  @Test
  void believesTheTextMoreThanAWrongHint() {
    var german = "Die Flut kommt und die Mühle beginnt sich zu drehen";

    assertThat(LANGUAGES.detect(german, "en")).isEqualTo("de");
    assertThat(LANGUAGES.detect(german, "xx-nonsense")).isEqualTo("de");
  }

  @Test
  void readsTagsAsPagesWriteThem() {
    assertThat(LanguageDetector.primary("EN-us")).isEqualTo("en");
    assertThat(LanguageDetector.primary("no")).isEqualTo("nb");
    assertThat(LanguageDetector.primary("english")).isEmpty();
    assertThat(LanguageDetector.primary(null)).isEmpty();
  }

  @Test
  void isRightAboutMostTextsOfSeventyNineLanguages() throws IOException {
    var shares = new TreeMap<String, double[]>();
    var rows = Corpora.find("language-text/lingua-language-id.jsonl.gz");
    try (var in = new GZIPInputStream(Files.newInputStream(rows))) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> {
            var row = JsonMapper.shared().readTree(line);
            var hit = LANGUAGES.detect(row.get("text").stringValue(), null);
            var share = shares.computeIfAbsent(row.get("kind").stringValue(), _ -> new double[2]);
            share[0]++;
            if (hit.equals(row.get("lang").stringValue())) share[1]++;
          });
    }
    shares.forEach((kind, share) ->
        LoggerFactory.getLogger(LanguageDetectorTest.class)
            .warn("language right of {} %: {}", share[1] / share[0] * 100, kind));

    assertThat(percent(shares, "sentences")).isGreaterThanOrEqualTo(95);
    assertThat(percent(shares, "word-pairs")).isGreaterThanOrEqualTo(80);
  }

  private static double percent(Map<String, double[]> shares, String kind) {
    var share = shares.getOrDefault(kind, new double[] {1, 0});
    return share[1] / share[0] * 100;
  }
}
