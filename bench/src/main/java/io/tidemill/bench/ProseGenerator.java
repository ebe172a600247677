package io.tidemill.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Makes texts that are like English in length of words and in how often each comes; the same seed
/// gives the same text.
final class ProseGenerator {
  private static final String[] COMMON =
      """
      the of and to in is that it was for on are as with his they at be this from have or by one had
      not but what all were when we there can an your which their said if do will each about how up
      out them then she many some so these would other into has more her two like him see time could
      no make than first been its who now people my made over did down only way find use may water
      long little very after words called just where most know get through back much before go good
      new write our used me man too any day same right look think also around another came come work
      three word must because does part even place well such here take why things help put years
      different away again off went old number great tell men say small every found still between
      name should home big give air line set own under read last never us left end along while might
      next sound below saw something thought both few those always looked show large often together
      asked house world going want school important until form food keep children feet land side
      without boy once animals life enough took sometimes four head above kind began almost live page
      got earth need far hand high year mother light parts country father let night following picture
      being study second eyes soon times story boys since white days ever paper hard near sentence
      better best across during today others however sure means knew try told young miles sun ways
      thing whole hear example heard several change answer room sea against top turned learn point
      city play toward five using himself usually river market harbour engine winter council library
      """
          .split("\\s+");
  private static final String[] SYLLABLES =
      "an ber cal dor en fer gan hol in jor kel lan mer nor ol per quin ran sel tor un ver wil yor"
          .split(" ");
  private static final int RARE = 6_000;

  private final List<String> words = new ArrayList<>(List.of(COMMON));
  private final Random random;

  ProseGenerator(long seed) {
    random = new Random(1);
    while (words.size() < COMMON.length + RARE) words.add(rareWord());
    random.setSeed(seed);
  }

  private String rareWord() {
    var word = new StringBuilder();
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
    }
    return word.toString();
  }

  /// A word; the first of the list come far more often than the last.
  String word() {
    var place = Math.pow(random.nextDouble(), 4);
    return words.get((int) (place * words.size()));
  }

  /// A word that few texts have.
  String rare() {
    return words.get(COMMON.length + random.nextInt(RARE));
  }

  String title() {
    return capital(line(3 + random.nextInt(6)));
  }

  private String line(int count) {
    var line = new StringBuilder();
    for (int i = 0; i < count; i++) line.append(i == 0 ? "" : " ").append(word());
    return line.toString();
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  /// Sentences of about this many characters in total.
  String paragraph(int length) {
    var text = new StringBuilder();
    while (text.length() < length) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(capital(line(6 + random.nextInt(12)))).append('.');
    }
    return text.toString();
  }
}
