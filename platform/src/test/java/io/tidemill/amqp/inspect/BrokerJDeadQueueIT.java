package io.tidemill.amqp.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.BrokerJ;
import org.junit.jupiter.api.Test;

class BrokerJDeadQueueIT extends DeadQueueContract {
  @Override
  AmqpBroker broker() {
    return BrokerJ.shared();
  }

  @Test
  void whatWasLookedAtIsGivenBackInWordsThatItUnderstands() throws Exception {
    for (int i = 0; i < 12; i++) bury("m" + i, "bad");

    dead().newest(DeadQueueReader.MOST_SEEN, 10);
    dead().discard(dead().newest(1, 1).letters().getFirst().id());

    assertThat(dead().count()).isEqualTo(11);
    assertThat(BrokerJ.shared().output()).doesNotContain("no such delivery tag");
  }
}
