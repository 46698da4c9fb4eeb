package io.quorate.store.consul;

import io.netty.handler.ssl.SslContext;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.driver.OneLine;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Makes the TLS settings of one client when its first connection is opened. */
final class SharedTls {
  /** The settings; null before the first connection over TLS. */
  private SslContext made;

  /** Returns the settings of all connections; empty for plain text. */
  synchronized Optional<SslContext> of(Access access) {
    if (made == null && access.tls().isPresent()) {
      try {
        made = access.tls().get().netty().build();
      } catch (SSLException impossible) {
        throw new QuorateException("TLS cannot be used: " + OneLine.of(impossible));
      }
    }
    return Optional.ofNullable(made);
  }
}
