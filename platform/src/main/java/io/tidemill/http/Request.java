package io.tidemill.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// A request as a handler sees it: decoded, its body read.
///
/// @param target path and query as they are on the request line
/// @param headers by their names in lower case
/// @param identity the caller and its role
/// @param note what the audit trail says of it
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out, never compared
public record Request(
    String method,
    String target,
    Map<String, List<String>> query,
    Map<String, String> headers,
    Map<String, String> pathParams,
    byte[] body,
    String remoteAddress,
    Identity identity,
    AtomicReference<AuditNote> note) {
  /// A bare request, to be completed by the methods below; [IllegalArgumentException] on a bad
  /// query.
  public static Request of(String method, String target) {
    var mark = target.indexOf('?');
    var query = mark < 0 ? "" : target.substring(mark + 1);
    return new Request(
        method,
        target,
        parse(query),
        Map.of(),
        Map.of(),
        new byte[0],
        "",
        Identity.NOBODY,
        new AtomicReference<>(AuditNote.NONE));
  }

  /// The same request with one more header, unless it has one of that name.
  public Request withHeader(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.putIfAbsent(name.toLowerCase(Locale.ROOT), value);
    return withHeaders(more);
  }

  public Request withHeaders(Map<String, String> lowerCased) {
    return new Request(
        method, target, query, lowerCased, pathParams, body, remoteAddress, identity, note);
  }

  public Request withPathParam(String name, String value) {
    var more = new LinkedHashMap<>(pathParams);
    more.put(name, value);
    return withPathParams(more);
  }

  public Request withPathParams(Map<String, String> params) {
    return new Request(method, target, query, headers, params, body, remoteAddress, identity, note);
  }

  public Request withBody(byte[] bytes) {
    return new Request(
        method, target, query, headers, pathParams, bytes.clone(), remoteAddress, identity, note);
  }

  public Request from(String address) {
    return new Request(method, target, query, headers, pathParams, body, address, identity, note);
  }

  public Request by(Identity caller) {
    return new Request(
        method, target, query, headers, pathParams, body, remoteAddress, caller, note);
  }

  /// The path as it came, not decoded.
  public String path() {
    var mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /// A decoded parameter of the path; [IllegalArgumentException] when the route has none of it.
  public String pathParam(String name) {
    var value = pathParams.get(name);
    if (value == null) throw new IllegalArgumentException("no path parameter " + name);
    return value;
  }

  /// The first value of a query parameter.
  public Optional<String> query(String name) {
    return queryAll(name).stream().findFirst();
  }

  public List<String> queryAll(String name) {
    return query.getOrDefault(name, List.of());
  }

  /// The first value of a header, whose name may be in any case.
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  @Override
  public byte[] body() {
    return body.clone();
  }

  /// The caller's API key, as the beginning of its SHA-256; empty where no keys are required.
  public Optional<String> caller() {
    return identity.mark();
  }

  /// Adds a detail to the request's audit entry, such as what exactly was changed.
  public void note(String detail) {
    note.updateAndGet(before -> before.with(detail));
  }

  /// Names the caller in the audit entry, where only the handler finds out.
  public void noteCaller(Identity caller) {
    note.updateAndGet(before -> before.of(caller));
  }

  public AuditNote noted() {
    return note.get();
  }

  private static Map<String, List<String>> parse(String query) {
    var values = new LinkedHashMap<String, List<String>>();
    for (var pair : query.split("&", -1)) {
      if (pair.isEmpty()) continue;
      var equals = pair.indexOf('=');
      var name = PercentDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), true);
      var value = equals < 0 ? "" : PercentDecoder.decode(pair.substring(equals + 1), true);
      values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }
    return values;
  }
}
