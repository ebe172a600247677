package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerAddressTest {
  @Test
  void takesHostsAsClientsDo() {
    assertThat(ServerAddress.ofBroker("my_kafka:9093")).hasToString("my_kafka:9093");
    assertThat(ServerAddress.ofBroker("SASL_SSL://broker:1")).hasToString("broker:1");
    assertThat(ServerAddress.ofBroker("[::1]:9092")).hasToString("[::1]:9092");
    assertThat(ServerAddress.ofDatabase("my_pg")).hasToString("my_pg:5432");
    assertThat(ServerAddress.of("redis://h:1/0")).hasToString("h:1");
  }

  @Test
  void refusesWhatIsNoHost() {
    assertThatThrownBy(() -> ServerAddress.ofBroker("a b"))
        .hasMessage("expected host:port, not a b");
  }
}
