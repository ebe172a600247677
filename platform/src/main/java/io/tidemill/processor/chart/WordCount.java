package io.tidemill.processor.chart;

import java.text.BreakIterator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The words that say what a set of texts is about: how many of the texts have each.
public final class WordCount {
  private static final int SHORTEST = 4;
  private static final int LONGEST_TEXT = 20_000;
  private static final Set<String> PLAIN =
      Set.of(
          """
          aber about above after again against ainsi alle allem allen aller alles alors also
          although always among andere anderen another ante antes auch aussi autre avait avant
          avec avoir because been before beim being below bereits between bist both cannot cela
          celle celui cette chez come comme como contra could cuando dabei damit dann dans dass
          dein dem denn depuis deren desde dessen diese diesem diesen dieser dieses doch does
          doing donc donde done dort down durante durch during each eine einem einen einer eines
          either ella elle elles ellos else encore entre era esta estaba estas este esto estos
          está están etwas euch even ever every fait from further haben había hasta hatte have
          having here hers herself hier himself hinter however http https ihnen ihre ihrem ihren
          ihrer immer into itself jede jeder jedes jetzt just kann keine know können less leur
          leurs like made mais make many mehr meine mich might mit more most much muss must muy
          même nach nada need never next nicht nichts noch none nous oder ohne only onto other
          otra otro over page pages para part pero plus porque pour puede quand said same sans
          según sehr sein seine seit sera shall should sich sido since sind sobre soll sollte
          some sondern sont sous sowie still such take también than that their them themselves
          then there these they this those three through tiene toda todo todos tous tout toute
          très under unos unser unter until upon used uses using very viele vom von vous want
          wegen weil welche well wenn werden were what when where whether which while whom whose
          wieder will wird with within without would wurde wurden www your yours yourself zwei
          zwischen être über
          """
              .strip()
              .split("\\s+"));

  private final ValueTally tally = new ValueTally();

  public void add(String text) {
    var read = text.substring(0, Math.min(text.length(), LONGEST_TEXT));
    var words = BreakIterator.getWordInstance(Locale.ROOT);
    words.setText(read);
    var seen = new HashSet<String>();
    var start = words.first();
    for (var end = words.next(); end != BreakIterator.DONE; start = end, end = words.next()) {
      if (end - start < SHORTEST || end - start > 40) continue;
      var word = read.substring(start, end).toLowerCase(Locale.ROOT);
      if (word.codePoints().allMatch(Character::isLetter) && !PLAIN.contains(word)) seen.add(word);
    }
    seen.forEach(tally::add);
  }

  public List<ChartPoint> top(int most) {
    return tally.top(most).stream().filter(point -> point.value() > 1).toList();
  }
}
