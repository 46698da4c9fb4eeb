// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BusyNetworkTest {
  @TempDir private Path directory;

  private void write(String card, String speed, long received, long sent) throws IOException {
    Path statistics = Files.createDirectories(directory.resolve(card).resolve("statistics"));
    Files.writeString(statistics.resolve("rx_bytes"), received + "\n");
    Files.writeString(statistics.resolve("tx_bytes"), sent + "\n");
    Files.writeString(directory.resolve(card).resolve("speed"), speed + "\n");
  }

  @Test
  void tellsThePartThatTheBusiestInterfaceUsesInItsBusierDirection() throws IOException {
    write("eth0", "1000", 7_000, 9_000);
    write("eth1", "10000", 0, 0);
    BusyNetwork network = new BusyNetwork(directory, Set.of("eth0", "eth1"));
    Map<Path, Long> before = network.traffic();

    write("eth0", "1000", 7_000 + 50_000_000, 9_000 + 237_500_000);
    write("eth1", "10000", 250_000_000, 0);

    assertThat(network.usedPart(before, 2)).hasValue(0.95);
  }

  @Test
  void knowsNothingOfAnInterfaceThatDoesNotSayHowFastItIs() throws IOException {
    write("lo", "", 1, 1);
    write("veth0", "-1", 1, 1);
    BusyNetwork network = new BusyNetwork(directory, Set.of("lo", "veth0", "gone"));

    assertThat(network.usedPart(network.traffic(), 1)).isEmpty();
  }

  @Test
  void knowsNothingOfServersOnThisMachine() {
    BusyNetwork network = BusyNetwork.to(List.of("127.0.0.1"));

    assertThat(network.usedPart(network.traffic(), 1)).isEmpty();
  }
}
