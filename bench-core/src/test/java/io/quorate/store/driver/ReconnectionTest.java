// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import java.net.InetSocketAddress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReconnectionTest {
  @Test
  void firstConnectionsComeFromTheAddressThatTheSystemChooses() {
    assertThat(Reconnection.source("127.0.0.1", 9_999)).isEmpty();
    assertThat(Reconnection.source("10.0.0.1", 1_000_000)).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aHundredThousandConnectionsToThisMachineNeedNoMorePortsThanAddressesHave() {
    assertThat(Epoll.isAvailable()).isTrue();
    assertThat(
            IntStream.range(0, 100_000)
                .mapToObj(number -> Reconnection.source("127.0.0.1", number))
                .flatMap(source -> source.stream())
                .map(InetSocketAddress::getHostString)
                .distinct())
        .containsExactly(
            "127.0.0.2",
            "127.0.0.3",
            "127.0.0.4",
            "127.0.0.5",
            "127.0.0.6",
            "127.0.0.7",
            "127.0.0.8",
            "127.0.0.9",
            "127.0.0.10");
    assertThat(Reconnection.source("localhost", 254 * 10_000)).isEmpty();
  }
}
