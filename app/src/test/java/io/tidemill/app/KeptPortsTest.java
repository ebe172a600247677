package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.servers.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptPortsTest {
  @TempDir private Path data;

  private int start(int wanted) {
    return start(wanted, false);
  }

  private int start(int wanted, boolean isChosen) {
    var ports = new KeptPorts(data);
    var port = ports.port("s3", wanted, isChosen);
    ports.write();
    return port;
  }

  @Test
  void aServerThatHadToMoveStaysWhereItIs() throws Exception {
    int moved;
    int wanted;
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      wanted = other.getLocalPort();
      moved = start(wanted);
      assertThat(moved).isNotEqualTo(wanted);
    }

    assertThat(start(wanted)).isEqualTo(moved);
    assertThat(start(wanted, true)).as("somebody set it").isEqualTo(wanted);
  }

  @Test
  void anotherSettingCounts() {
    var first = start(Ports.freeOr(0));
    var second = Ports.freeOr(0);

    assertThat(start(second)).isEqualTo(second).isNotEqualTo(first);
  }

  @Test
  void aPortThatSomebodyTookMeanwhileIsGivenUp() throws Exception {
    var moved = start(0);
    var wanted = Ports.freeOr(0);
    try (var _ = new ServerSocket(moved, 1, InetAddress.getLoopbackAddress())) {
      assertThat(start(0)).isNotEqualTo(moved);
      assertThat(start(wanted)).isEqualTo(wanted);
    }
  }

  @Test
  void aBrokenFileIsAsGoodAsNone() throws Exception {
    var wanted = Ports.freeOr(0);
    for (var text :
        new String[] {"", "{", "[]", "null", "{\"s3\":{\"wanted\":" + wanted + ",\"port\":-7}}"}) {
      Files.writeString(data.resolve("ports.json"), text);
      assertThat(start(wanted)).as(text).isEqualTo(wanted);
    }
  }
}
