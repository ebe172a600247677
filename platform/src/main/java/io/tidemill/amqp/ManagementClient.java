package io.tidemill.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Asks RabbitMQ's management API how a queue is bound, which AMQP itself does not tell; what is
/// not as expected is a warning, and nothing is changed (C5.1).
public final class ManagementClient {
  private static final Logger log = LoggerFactory.getLogger(ManagementClient.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final JsonMapper JSON = new JsonMapper();

  private final AmqpConfig config;

  public ManagementClient(AmqpConfig config) {
    this.config = config;
  }

  public void verify(Topology.Bound wanted) {
    var bound = wanted.on(config);
    if (config.managementUrl().isEmpty()) {
      log.info(
          "queue {} is bound to {} with {}; other bindings of it are not checked without amqp.management-url",
          bound.queue(),
          bound.exchange(),
          bound.routingKey());
      return;
    }
    try {
      var findings = findings(wanted);
      findings.forEach(log::warn);
      if (findings.isEmpty()) {
        log.info(
            "queue {} is bound to {} with {}, and to nothing else",
            bound.queue(),
            bound.exchange(),
            bound.routingKey());
      }
    } catch (IOException unanswered) {
      log.warn(
          "how queue {} is bound could not be checked by amqp.management-url: {}",
          bound.queue(),
          AmqpException.describe(unanswered));
    } catch (JacksonException notJson) {
      log.warn("what answers at amqp.management-url is not RabbitMQ's management API");
    }
  }

  /// What is not as it should be, in words.
  public List<String> findings(Topology.Bound wanted) throws IOException {
    var bound = wanted.on(config);
    var findings = new ArrayList<String>();
    var exchange = get("exchanges", bound.exchange(), "");
    var type = exchange.path("type").asString("");
    if (!type.equals("topic")) {
      findings.add("exchange %s is of type %s: expected topic".formatted(bound.exchange(), type));
    }
    var isBound = false;
    for (var binding : get("queues", bound.queue(), "/bindings")) {
      var source = binding.path("source").asString("");
      var key = binding.path("routing_key").asString("");
      if (source.equals(bound.exchange()) && key.equals(bound.routingKey())) isBound = true;
      else if (!source.isEmpty()) { // every queue is bound to the default exchange
        findings.add(
            "queue %s is also bound to %s with '%s': what comes that way is read too"
                .formatted(bound.queue(), source, key));
      }
    }
    if (!isBound) {
      findings.add(
          "queue %s is not bound to %s with %s"
              .formatted(bound.queue(), bound.exchange(), bound.routingKey()));
    }
    return findings;
  }

  /// Whether a queue counts how often its messages were taken, and drops them in the end; false
  /// when that is not known.
  public boolean countsDeliveries(String queue) {
    if (config.managementUrl().isEmpty()) return false;
    try {
      var found = get("queues", config.queueNames().name(queue), "");
      if (!found.path("type").asString("").equals("quorum")) return false;
      var limit = found.path("delivery_limit");
      if (!limit.isNumber()) limit = found.path("arguments").path("x-delivery-limit");
      return !limit.isNumber() || limit.asLong() >= 0; // unsaid, later versions have one
    } catch (IOException | JacksonException unknown) {
      log.debug("queue {} is not known to {}", queue, "amqp.management-url", unknown);
      return false;
    }
  }

  private JsonNode get(String kind, String name, String of) throws IOException {
    var base = URI.create(config.managementUrl());
    var address =
        "%s://%s%s/api/%s/%s/%s%s"
            .formatted(
                base.getScheme(),
                base.getRawAuthority().replaceFirst("^.*@", ""),
                base.getRawPath().replaceFirst("/$", ""),
                kind,
                escaped(host()),
                escaped(name),
                of);
    var user = base.getUserInfo() == null ? login() : base.getUserInfo();
    var request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(PATIENCE)
            .header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8)))
            .build();
    try (var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      var answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) throw new IOException("status " + answer.statusCode());
      return JSON.readTree(answer.body());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stop);
    }
  }

  private String login() {
    var info = URI.create(config.url()).getUserInfo();
    return info == null ? config.user() + ":" + config.password() : info;
  }

  // As AMQP clients read it: no path is the virtual host `/`.
  private String host() {
    var path = URI.create(config.url()).getPath();
    return path == null || path.length() < 2 ? "/" : path.substring(1);
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
