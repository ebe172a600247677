package io.tidemill.content.charset;

/// How many characters beyond ASCII a body has when it is read as UTF-8.
///
/// @param faults sequences that are not UTF-8; one cut off by the end is none
record Utf8Count(int characters, int faults) {

  static Utf8Count of(byte[] body) {
    var characters = 0;
    var faults = 0;
    var at = 0;
    while (at < body.length) {
      if (body[at] >= 0) {
        at++;
        continue;
      }
      var length = length(body, at);
      if (length > 0) characters++;
      else if (length < 0) faults++;
      at += length > 0 ? length : 1;
    }
    return new Utf8Count(characters, faults);
  }

  // Bytes of the character that begins here; 0 when the end cuts it off, -1 when it is none.
  private static int length(byte[] body, int at) {
    var first = body[at] & 0xFF;
    var length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0) return isTail(body, at) ? 0 : -1;
    for (var i = 1; i < length; i++) {
      if (at + i >= body.length) return 0;
      var next = body[at + i] & 0xFF;
      if (next < (i == 1 ? lowest(first) : 0x80) || next > (i == 1 ? highest(first) : 0xBF)) {
        return -1;
      }
    }
    return length;
  }

  // The bytes behind the beginning of a cut-off character.
  private static boolean isTail(byte[] body, int at) {
    if ((body[at] & 0xC0) != 0x80) return false;
    for (var back = 1; back <= 3 && at - back >= 0; back++) {
      var before = body[at - back] & 0xFF;
      if (before >= 0xC2) return length(body, at - back) == 0;
      if (before < 0x80) return false;
    }
    return false;
  }

  private static int lowest(int first) {
    return first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  }

  private static int highest(int first) {
    return first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  }
}
