package io.tidemill.app.wiring;

import io.tidemill.amqp.Topology;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Kafka, AMQP and S3 as this process sees them: their names provisioned, their health watched.
final class Brokers implements Service {
  private final Endpoints endpoints;
  private @Nullable TopicProvisioner topics;
  private @Nullable Topology topology;
  private @Nullable HttpClient http;

  Brokers(Endpoints endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public String name() {
    return "brokers";
  }

  /// Connects to those that are configured, both at once.
  @Override
  public void start() {
    var kafka = CompletableFuture.runAsync(this::startKafka, Brokers::onPlatformThread);
    var amqp = CompletableFuture.runAsync(this::startAmqp, Brokers::onPlatformThread);
    try {
      CompletableFuture.allOf(kafka, amqp).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private static void onPlatformThread(Runnable task) {
    Thread.ofPlatform().daemon().name("provision").start(task);
  }

  private void startKafka() {
    if (endpoints.kafka().bootstrap().isEmpty()) return;
    var open = new TopicProvisioner(endpoints.kafka());
    topics = open;
    try {
      ContractProvisioner.create(open);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void startAmqp() {
    if (endpoints.amqp().url().isEmpty()) return;
    var open = new Topology(endpoints.amqp());
    topology = open;
    ContractProvisioner.create(open);
  }

  /// A check by name for each that is configured.
  Map<String, HealthCheck> checks() {
    var checks = new LinkedHashMap<String, HealthCheck>();
    if (!endpoints.kafka().bootstrap().isEmpty()) checks.put("kafka", this::kafka);
    if (!endpoints.amqp().url().isEmpty()) checks.put("amqp", this::amqp);
    if (!endpoints.s3().endpoint().isEmpty()) checks.put("s3", this::s3);
    return checks;
  }

  private String kafka() throws InterruptedException {
    var open = topics;
    if (open == null) throw new IllegalStateException("not connected yet");
    return open.brokers() + " broker(s)";
  }

  private String amqp() throws InterruptedException {
    var open = topology;
    if (open == null) throw new IllegalStateException("not connected yet");
    open.ping();
    return "connected";
  }

  // Any answer will do: without a signature the store says 403, and it is there.
  private String s3() throws IOException, InterruptedException {
    var client = http;
    if (client == null) {
      client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
      http = client;
    }
    var request =
        HttpRequest.newBuilder(URI.create(endpoints.s3().endpoint()))
            .timeout(Duration.ofSeconds(2))
            .build();
    return "answers " + client.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Override
  public void stop() {
    if (topics != null) topics.close();
    if (topology != null) topology.close();
    if (http != null) http.close();
  }
}
