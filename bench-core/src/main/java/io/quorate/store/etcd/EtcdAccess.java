// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.OneLine;
import io.quorate.tls.ClientTls;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings and the login that all connections of one client share. Granting a token for a
 * password costs etcd some 50 ms of CPU time, so all connections share one token. A new one is
 * requested when a request is refused because the token is no longer valid. That request has
 * failed: nothing is sent twice.
 */
final class EtcdAccess {
  static final String TOKEN = "token";

  private static final Duration LOGIN_LIMIT = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final Access access;
  private final Optional<SslContext> tls;
  private final AtomicBoolean renewing = new AtomicBoolean();

  /** The token of requests; empty if they have none. */
  private volatile String token;

  private volatile long renewedNanos;

  private EtcdAccess(Access access, Optional<SslContext> tls, String token) {
    this.access = access;
    this.tls = tls;
    this.token = token;
    this.renewedNanos = System.nanoTime();
  }

  /** Returns the access of a client, and logs in if it has a password. */
  static EtcdAccess of(DriverSettings settings) {
    Access access = settings.access();
    Optional<SslContext> tls = http2(access, settings.endpoint(), settings.connectTimeout());
    if (access.login().kind() != Login.Kind.PASSWORD) {
      return new EtcdAccess(access, tls, "");
    }
    Duration limit = Collections.min(List.of(settings.connectTimeout(), LOGIN_LIMIT));
    try {
      String token = new EtcdApi(settings.endpoint(), access, limit).token();
      return new EtcdAccess(access, tls, token);
    } catch (IOException refused) {
      throw new QuorateException(
          "etcd at " + settings.endpoint() + ": " + OneLine.of(refused), refused);
    }
  }

  /**
   * Returns the TLS settings of gRPC, which fit the certificate of a server; empty for plain text.
   */
  static Optional<SslContext> http2(Access access, Endpoint server, Duration limit) {
    return access.tls().map(each -> http2(each, server, limit));
  }

  private static SslContext http2(ClientTls tls, Endpoint server, Duration limit) {
    SslProvider provider = tls.provider(server.host(), server.port(), limit);
    try {
      return GrpcSslContexts.configure(tls.netty(), provider).build();
    } catch (SSLException impossible) {
      throw new QuorateException("TLS cannot be used for HTTP/2: " + OneLine.of(impossible));
    }
  }

  Optional<SslContext> tls() {
    return tls;
  }

  /** Returns the token of requests; empty if they have none. Safe for several threads. */
  String token() {
    return token;
  }

  /** Notes a failed request; requests another token if this one is no longer valid. */
  void failed(Status status, Endpoint member) {
    if (status.getCode() == Status.Code.UNAUTHENTICATED
        || isAboutToken(String.valueOf(status.getDescription()))) {
      renewAt(member);
    }
  }

  static boolean isAboutToken(String reason) {
    return reason.contains("invalid auth token") || reason.contains("auth store is old");
  }

  /** Requests another token from a member, on a separate thread; at most once a second. */
  void renewAt(Endpoint member) {
    if (!token.isEmpty()
        && System.nanoTime() - renewedNanos > PAUSE_NANOS
        && renewing.compareAndSet(false, true)) {
      DaemonThreads.start("etcd-login", () -> renew(member));
    }
  }

  private void renew(Endpoint member) {
    try {
      token = new EtcdApi(member, access, LOGIN_LIMIT).token();
    } catch (IOException notNow) {
      // the next refused request tries again
    } finally {
      renewedNanos = System.nanoTime();
      renewing.set(false);
    }
  }

  /** Creates the access of one client when its first connection is opened. */
  static final class Shared {
    /** The access; null before the first connection. */
    private @Nullable EtcdAccess made;

    synchronized EtcdAccess of(DriverSettings settings) {
      if (made == null) {
        made = EtcdAccess.of(settings);
      }
      return made;
    }
  }
}
