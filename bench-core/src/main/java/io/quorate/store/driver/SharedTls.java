// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.netty.handler.ssl.SslContext;
import io.quorate.QuorateException;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.tls.ClientTls;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Creates the TLS settings of one client when its first connection is opened. */
public final class SharedTls {
  /** The settings; null before the first connection over TLS. */
  private @Nullable SslContext made;

  /** Returns the settings of all connections; empty for plain text. */
  public synchronized Optional<SslContext> of(DriverSettings settings) {
    if (made == null && settings.access().tls().isPresent()) {
      ClientTls tls = settings.access().tls().get();
      Endpoint server = settings.endpoint();
      Duration limit = settings.connectTimeout();
      try {
        made = tls.netty().sslProvider(tls.provider(server.host(), server.port(), limit)).build();
      } catch (SSLException impossible) {
        throw new QuorateException("TLS cannot be used: " + OneLine.of(impossible));
      }
    }
    return Optional.ofNullable(made);
  }
}
