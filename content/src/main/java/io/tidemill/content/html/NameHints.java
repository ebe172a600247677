package io.tidemill.content.html;

import java.util.Arrays;

/// What the class and id of an element say about it: names that web authors give to the parts of a
/// page, all over the web.
final class NameHints {
  static final int ASIDE = 1;
  static final int REMARK = 2;
  static final int CAPTION = 4;
  static final int EMBED = 8;
  static final int SOCIAL = 16;
  static final int BODY = 32;
  static final int PICTURE = 512;
  private static final int LEAD = 64;
  private static final int TAIL = 128;
  private static final int TOPIC = 256;

  /// An id of more words than this was made of a headline and says nothing of the part.
  private static final int SLUG = 4;

  private static final Node ROOT = new Node();

  static {
    starts(
        REMARK,
        "comment disqus livefyre respond discussion talkback replies reactions guestbook shoutbox"
            + " kommentar komentar comentario commentaire commenti reacties");
    starts(
        ASIDE,
        "sharebar sharebox sharetools sharelinks sharethis sharedaddy sociable addtoany addthis"
            + " related recommend recirc suggested similarposts morefrom morenews readnext upnext"
            + " mostread mostviewed mostpopular trending popular teaser promo sponsor advert outbrain"
            + " taboola zergnet yarpp carousel newsletter subscri signup login"
            + " membership donat sidebar rightrail footer masthead topbar toolbar navigation navbar"
            + " navbox menu breadcrumb pagination pager postnav catlinks editsection cookie consent"
            + " gdpr popup modal overlay lightbox interstitial tooltip dropdown byline dateline"
            + " timestamp copyright disclaimer authorbio authorbox aboutauthor skip screenreader"
            + " visuallyhidden");
    words(
        ASIDE,
        "nav ad ads tags bio widget widgets also readmore share shares sharing meta metadata rail"
            + " dfp prev print noprint cta rss");
    starts(SOCIAL, "social");
    starts(EMBED, "embed tweet");
    starts(CAPTION, "caption credit wpcaption figcaption gallery slideshow inlinegallery");
    words(PICTURE, "photo photos image images img picture figure");
    words(LEAD, "article story post entry news blog rich");
    words(TAIL, "body content text copy");
    words(TOPIC, "category tag");
    starts(
        BODY,
        "articlebody storybody postbody entrycontent postcontent articlecontent articletext storycontent storytext");
  }

  private NameHints() {}

  /// @param names the words of a class or id attribute
  static int of(String names) {
    var found = 0;
    var length = names.length();
    for (var at = 0; at < length; at++) {
      if (names.charAt(at) <= ' ') continue;
      var end = at;
      while (end < length && names.charAt(end) > ' ') end++;
      found |= ofName(names, at, end);
      at = end;
    }
    return found;
  }

  private static int ofName(String names, int start, int end) {
    var found = 0;
    var before = 0;
    var words = 0;
    for (var at = start; at < end; at++) {
      if (!startsWord(names, start, at)) continue;
      var hint = from(names, at, end);
      if (at == start && (hint & TOPIC) != 0) return 0;
      if ((before & LEAD) != 0 && (hint & TAIL) != 0) hint |= BODY;
      found |= hint;
      before = hint;
      words++;
    }
    return words > SLUG ? found & BODY : found;
  }

  private static boolean startsWord(String names, int start, int at) {
    var c = names.charAt(at);
    if (!isLetter(c)) return false;
    if (at == start) return true;
    var before = names.charAt(at - 1);
    return !isLetter(before) || (c < 'a' && before >= 'a');
  }

  private static int from(String names, int start, int end) {
    var node = ROOT;
    var found = 0;
    for (var at = start; at < end; at++) {
      var c = names.charAt(at) | 0x20;
      if (c < 'a' || c > 'z') break;
      var next = node.next[c - 'a'];
      if (next == null) break;
      node = next;
      found |= node.begins;
      if (node.whole != 0 && endsWord(names, start, at + 1, end)) found |= node.whole;
    }
    return found;
  }

  private static boolean endsWord(String names, int start, int at, int end) {
    return at == end || !isLetter(names.charAt(at)) || startsWord(names, start, at);
  }

  private static boolean isLetter(char c) {
    var lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  private static void starts(int hint, String words) {
    Arrays.stream(words.split(" ")).forEach(word -> node(word).begins |= hint);
  }

  private static void words(int hint, String words) {
    Arrays.stream(words.split(" ")).forEach(word -> node(word).whole |= hint);
  }

  private static Node node(String word) {
    var node = ROOT;
    for (var i = 0; i < word.length(); i++) {
      var c = word.charAt(i) - 'a';
      if (node.next[c] == null) node.next[c] = new Node();
      node = node.next[c];
    }
    return node;
  }

  private static final class Node {
    final Node[] next = new Node[26];
    int begins;
    int whole;
  }
}
