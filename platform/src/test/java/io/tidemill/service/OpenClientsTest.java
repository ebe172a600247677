package io.tidemill.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class OpenClientsTest {
  @Test
  void closesAllAndTheLastOneFirst() {
    var closed = new ArrayList<String>();
    var clients = new OpenClients();
    clients.add(() -> closed.add("first"));
    clients.add(() -> {
      closed.add("second");
      throw new IOException("gone");
    });
    AutoCloseable third = () -> closed.add("third");

    assertThat(clients.add(third)).isSameAs(third);
    clients.close();

    assertThat(closed).containsExactly("third", "second", "first");
  }
}
