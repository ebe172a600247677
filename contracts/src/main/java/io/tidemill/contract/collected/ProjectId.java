package io.tidemill.contract.collected;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Project ids that are UUIDs, for consumers whose columns have that type (C5.7): UUIDv5 of the
/// project's name in RFC 9562's namespace for URLs, as `uuid5(NAMESPACE_URL, name)` of other
/// languages makes it.
public final class ProjectId {
  private static final UUID NAMESPACE = UUID.fromString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");
  private static final Pattern FORM =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private ProjectId() {}

  /// The UUID for a name; a name that is a UUID stays as it is.
  public static String of(String name) {
    return FORM.matcher(name).matches() ? name : uuid(name).toString();
  }

  /// The name that a project is shown and stored under.
  ///
  /// @param id as the event has it
  /// @param said the name that came along; counts only if the id was made from it
  public static @Nullable String name(@Nullable String id, @Nullable String said) {
    if (id == null || !FORM.matcher(id).matches()) return id;
    if (said != null && id.equals(of(said))) return said;
    return id.equals(of(CollectedNames.WEB)) ? CollectedNames.WEB : id;
  }

  private static UUID uuid(String name) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      digest.update(
          ByteBuffer.allocate(16)
              .putLong(NAMESPACE.getMostSignificantBits())
              .putLong(NAMESPACE.getLeastSignificantBits())
              .array());
      var hash = ByteBuffer.wrap(digest.digest(name.getBytes(UTF_8)));
      var high = (hash.getLong() & ~0xf000L) | 0x5000L; // the version
      var low = (hash.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L; // the variant
      return new UUID(high, low);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-1", impossible);
    }
  }
}
