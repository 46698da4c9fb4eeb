// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.quorate.store.SilentPort;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void a_message_is_its_first_line() {
    assertThat(OneLine.of(new IOException("broken\nat line 7"))).isEqualTo("broken");
  }

  @Test
  void a_failure_without_a_message_is_its_kind() {
    assertThat(OneLine.of(new IOException())).isEqualTo("IOException");
  }

  @Test
  void a_refused_connection_names_no_system_call() throws IOException {
    try (SilentPort silent = new SilentPort();
        EventLoops loops = EventLoops.ofSockets("test")) {
      ChannelFuture refused =
          new Bootstrap()
              .group(loops.next())
              .channel(EventLoops.socketType())
              .handler(new ChannelInboundHandlerAdapter())
              .connect(InetAddress.getLoopbackAddress(), silent.port())
              .awaitUninterruptibly();
      assertThat(OneLine.of(refused.cause())).startsWith("Connection refused: ");
    }
  }
}
