package io.tidemill.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// A request as a handler sees it: decoded, its body read.
public final class Request {
  private final String method;
  private final String target;
  private final Map<String, List<String>> query;
  private final Map<String, String> headers;
  private final Map<String, String> pathParams;
  private final byte[] body;
  private final String remoteAddress;
  private final Identity identity;
  private final AtomicReference<AuditNote> note;

  private Request(
      String method,
      String target,
      Map<String, List<String>> query,
      Map<String, String> headers,
      Map<String, String> pathParams,
      byte[] body,
      String remoteAddress,
      Identity identity,
      AtomicReference<AuditNote> note) {
    this.method = method;
    this.target = target;
    this.query = query;
    this.headers = headers;
    this.pathParams = pathParams;
    this.body = body;
    this.remoteAddress = remoteAddress;
    this.identity = identity;
    this.note = note;
  }

  /// A bare request, to be completed by the `with` methods; [IllegalArgumentException] on a bad
  /// query.
  ///
  /// @param target path and query as they are on the request line
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

  public Request withHeader(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.putIfAbsent(name.toLowerCase(Locale.ROOT), value);
    return new Request(
        method, target, query, more, pathParams, body, remoteAddress, identity, note);
  }

  public Request withPathParam(String name, String value) {
    var more = new LinkedHashMap<>(pathParams);
    more.put(name, value);
    return new Request(method, target, query, headers, more, body, remoteAddress, identity, note);
  }

  public Request withBody(byte[] bytes) {
    return new Request(
        method, target, query, headers, pathParams, bytes.clone(), remoteAddress, identity, note);
  }

  public Request from(String address) {
    return new Request(method, target, query, headers, pathParams, body, address, identity, note);
  }

  public Request withHeaders(Map<String, String> lowerCased) {
    return new Request(
        method, target, query, lowerCased, pathParams, body, remoteAddress, identity, note);
  }

  public Request withPathParams(Map<String, String> params) {
    return new Request(method, target, query, headers, params, body, remoteAddress, identity, note);
  }

  /// The same request from this caller.
  public Request by(Identity caller) {
    return new Request(
        method, target, query, headers, pathParams, body, remoteAddress, caller, note);
  }

  public String method() {
    return method;
  }

  /// The path as it came, not decoded.
  public String path() {
    var mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /// Path and query as they came.
  public String target() {
    return target;
  }

  /// A parameter of the route's path, decoded; asking for one that the route does not have is a
  /// mistake.
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

  public byte[] body() {
    return body.clone();
  }

  public String remoteAddress() {
    return remoteAddress;
  }

  /// Whose API key let this request in: the beginning of the key's SHA-256, never the key. Empty
  /// where no keys are required.
  public Optional<String> caller() {
    return identity.mark();
  }

  /// Who was let in, and in what role.
  public Identity identity() {
    return identity;
  }

  /// Adds a line to what the audit trail says of this request, such as what exactly was changed.
  public void note(String detail) {
    note.updateAndGet(before -> before.with(detail));
  }

  /// Says who it was, when that turned out only on the way.
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
