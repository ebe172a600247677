package io.tidemill.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.kafka.KafkaConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Other names for what the contracts have on the brokers (G6).
class ContractProvisionerTest {
  @Test
  void everyTopicGroupQueueAndExchangeCanHaveAnotherName() {
    var groups =
        List.of(
            "crawl-workers=a",
            "tidemill-crawl-responses=b",
            "workflow-processors=c",
            "workflow-gateways=d",
            "crawl-response-group=e");
    var topics = List.of("crawl-requests=q", "crawl-responses=r", "workflows=w", "tasks=t");
    var kafka = new KafkaConfig("", 1, groups, topics);
    var amqp =
        amqp(List.of("crawler_queue=p", "analytics.data.collected=d"), List.of("smap.events=e"));

    ContractProvisioner.check(kafka);
    ContractProvisioner.check(amqp);

    assertThat(kafka.topicNames().names(ContractProvisioner.allTopics()))
        .containsExactly("q", "q.dead", "r", "r.dead", "w", "w.dead", "t", "t.dead");
    assertThat(amqp.queueNames().names(List.of("crawler_queue.gone", "crawler_queue.dead")))
        .containsExactly("p.gone", "p.dead");
  }

  @Test
  void refusesNamesOfNothing() {
    assertThatThrownBy(() -> ContractProvisioner.check(kafka("workflow=x")))
        .hasMessage(
            "kafka.topics has 'workflow': expected one of crawl-requests, crawl-responses, workflows, tasks");
    assertThatThrownBy(() -> ContractProvisioner.check(kafka("workflows=tasks")))
        .hasMessage("kafka.topics has 'tasks': two things have this name");
    assertThatThrownBy(() -> ContractProvisioner.check(kafka("workflows=tasks.dead")))
        .hasMessage("kafka.topics has 'tasks.dead': two things have this name");
    assertThatThrownBy(() -> ContractProvisioner.check(amqp(List.of("pages=x"), List.of())))
        .hasMessage(
            "amqp.queues has 'pages': expected one of crawler_queue, analytics.data.collected");
    assertThatThrownBy(() -> ContractProvisioner.check(amqp(List.of(), List.of("events=x"))))
        .hasMessage("amqp.exchanges has 'events': expected one of smap.events");
  }

  @Test
  void refusesNamesThatABrokerWouldNotTake() {
    for (var wrong : List.of("two words", "a/b", "..", "x".repeat(245))) {
      assertThatThrownBy(() -> kafka("workflows=" + wrong))
          .hasMessage(
              "kafka.topics has '%s': expected up to 244 letters, digits, dots, underscores and hyphens"
                  .formatted(wrong));
    }
    assertThatThrownBy(() -> amqp(List.of("crawler_queue=amq.x"), List.of()))
        .hasMessageStartingWith("amqp.queues has 'amq.x': expected up to 250 letters");
    assertThatThrownBy(() -> amqp(List.of(), List.of("smap.events=a b")))
        .hasMessageStartingWith("amqp.exchanges has 'a b': expected up to 250 letters");
  }

  private static KafkaConfig kafka(String... topics) {
    return new KafkaConfig("", 1).withTopics(List.of(topics));
  }

  private static AmqpConfig amqp(List<String> queues, List<String> exchanges) {
    return new AmqpConfig("", "", "", Duration.ofSeconds(1)).withNames(queues, exchanges);
  }
}
