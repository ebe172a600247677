package io.tidemill.content.language;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Todos os seres humanos nacen libres e iguais en dignidade e dereitos e débense comportar",
        "Dieub ha par en o dellezegezh hag o gwirioù eo ganet an holl dud, poell ha skiant zo dezho",
        "Teraka afaka sy mitovy zo sy fahamendrehana ny olombelona rehetra",
        "Su dai yan adam, ana haifuwarsu ne duka yantattu, kuma kowannensu na da mutunci",
        "Tout moun fèt lib, egal ego pou diyite kou wè dwa, epi nou fèt pou nou aji youn ak lòt",
        "Alle minsken wurde frij en gelyk yn weardigens en rjochten berne, hja hawwe ferstân",
        "Øll menniskju eru fødd fræls og jøvn til virðingar og mannarættindi",
        "Il-bnedmin kollha jitwieldu ħielsa u ugwali fid-dinjità u d-drittijiet",
        "Barcha odamlar erkin, qadr-qimmat va huquqlarda teng bo‘lib tug‘iladilar",
        "Барлык кешеләр дә азат һәм үз абруйлары һәм хокуклары ягыннан тиң булып туалар",
        "Бардык адамдар өз беделинде жана укуктарында эркин жана тең укуктуу болуп жаралат",
        "Abantu bose bavuka aliko bareshya mu gaciro no mu burenganzira",
        "Inuit tamarmik inunngorput nammineersinnaassuseqarlutik assigiimmillu ataqqinassuseqarlutik",
        "ھەممە ئادەم زانىدىنلا ئەركىن، ئىززەت-ھۆرمەت ۋە ھوقۇقتا باپباراۋەر بولۇپ تۇغۇلغان"
      })
  void knowsWhatItDoesNotKnow(String sentence) {
    assertThat(LANGUAGES.detect(sentence, null)).isEmpty();
    assertThat(LANGUAGES.detect(sentence, "en")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ",
        "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ",
        "ܟܠ ܒܪܢܫܐ ܒܪܝܠܗ ܚܐܪܐ ܘܒܪܒܪ",
        "asdkfj qwlekr zxcvmn poiqwe lkjfds mnbvcx qpwoei rutyal",
        "xkqjz vbwpf mzxqw jjkqv ppwxz"
      })
  void knowsNoLanguageOfOtherScriptsAndGibberish(String text) {
    assertThat(LANGUAGES.detect(text, null)).isEmpty();
    assertThat(LANGUAGES.detect(text, "fr")).isEmpty();
  }

  @Test
  void believesAHintOfALanguageThatItDoesNotKnow() {
    assertThat(LANGUAGES.detect("Todos os seres humanos nacen libres e iguais", "gl"))
        .isEqualTo("gl");
    assertThat(LANGUAGES.detect("ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ", "dv")).isEqualTo("dv");
    assertThat(LANGUAGES.detect("The tide comes in and the mill begins to turn", "gl"))
        .isEqualTo("en");
  }

  @ParameterizedTest
  @CsvSource({
    "as, জন্মগতভাৱে সকলো মানুহ মৰ্য্যদা আৰু অধিকাৰত সমান",
    "bn, সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে",
    "yi, יעדער מענטש װערט געבױרן פֿרײַ און גלײַך אין כּבֿוד און רעכט",
    "he, כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם",
    "uk, Акції корпорації Iridium Communications Holdings утвореної в результаті злиття",
    "el, Ὅλοι οἱ ἄνθρωποι γεννιοῦνται ἐλεύθεροι"
  })
  void tellsLanguagesThatShareAScript(String language, String sentence) {
    assertThat(LANGUAGES.detect(sentence, null)).isEqualTo(language);
  }

  @Test
  void aShortHebrewTextIsNoYiddish() {
    var sentence = "העבודה עם עמיתים על העיצוב של הבניין נמשכה שבוע שלם";

    assertThat(LANGUAGES.detect(sentence, null)).isEqualTo("he");
    assertThat(LANGUAGES.detect(sentence.repeat(4), "he")).isEqualTo("he");
  }

  @ParameterizedTest
  @CsvSource({
    "en, Privacy policy and terms of use",
    "en, iPhone 15 Pro Max and Samsung Galaxy S24 Ultra in review",
    "de, Impressum Datenschutz Kontakt",
    "fr, Elon Musk et Mark Zuckerberg se sont rencontrés à Menlo Park pour parler de Starlink",
    "en, Home Products About Contact Login Cart Samsung Galaxy Xiaomi Redmi Huawei Sony Xperia"
  })
  void isNotConfusedByNamesAndShortTexts(String language, String text) {
    assertThat(LANGUAGES.detect(text, null)).isEqualTo(language);
  }

  @Test
  void readsTagsAsPagesWriteThem() {
    assertThat(LanguageDetector.primary("EN-us")).isEqualTo("en");
    assertThat(LanguageDetector.primary("no")).isEqualTo("nb");
    assertThat(LanguageDetector.primary("english")).isEmpty();
    assertThat(LanguageDetector.primary(null)).isEmpty();
  }

  /// How many texts of a kind were right, and how many of no known language.
  private static final class Tally {
    int texts;
    int right;
    int unknown;

    double right() {
      return 100.0 * right / texts;
    }

    double unknown() {
      return 100.0 * unknown / texts;
    }
  }

  @Test
  void isRightAboutMostTextsOfSeventyNineLanguages() {
    var tallies = new TreeMap<String, Tally>();
    for (var row : Corpora.lines("language-text/lingua-language-id.jsonl.gz")) {
      var found = LANGUAGES.detect(row.get("text").stringValue(), null);
      var tally = tallies.computeIfAbsent(row.get("kind").stringValue(), _ -> new Tally());
      tally.texts++;
      if (found.equals(row.get("lang").stringValue())) tally.right++;
      if (found.isEmpty()) tally.unknown++;
    }
    tallies.forEach((kind, tally) ->
        LoggerFactory.getLogger(LanguageDetectorTest.class)
            .warn(
                "language of {}: {} % right, {} % unknown", kind, tally.right(), tally.unknown()));

    var sentences = requireNonNull(tallies.get("sentences"));
    var pairs = requireNonNull(tallies.get("word-pairs"));
    var words = requireNonNull(tallies.get("single-words"));
    assertThat(sentences.right()).isGreaterThanOrEqualTo(95);
    assertThat(pairs.right()).isGreaterThanOrEqualTo(84.5);
    assertThat(words.right()).isGreaterThanOrEqualTo(68.9);
    assertThat(sentences.unknown()).isLessThan(1);
    assertThat(pairs.unknown()).isLessThan(1.5);
    assertThat(words.unknown()).isLessThan(2.5);
  }
}
