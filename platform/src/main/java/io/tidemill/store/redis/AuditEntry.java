package io.tidemill.store.redis;

/// One request that changed something, or wanted to.
///
/// @param who a name, the mark of a key, or `anonymous`
/// @param role empty when nobody knows who it was
/// @param address where it came from
/// @param route the pattern of the path, such as `/api/crawls/{id}`
/// @param path as it came, with its query
/// @param status what was answered
/// @param detail why it was refused, or what exactly was changed; may be empty
/// @param trace the id of its trace
public record AuditEntry(
    String who,
    String role,
    String address,
    String method,
    String route,
    String path,
    int status,
    String detail,
    String trace) {}
