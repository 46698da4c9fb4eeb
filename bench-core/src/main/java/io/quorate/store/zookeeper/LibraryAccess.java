// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Login;
import io.quorate.tls.AnonymousFile;
import io.quorate.tls.ClientTls;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/**
 * How the sessions of one client of ZooKeeper's library authenticate. The library reads key and
 * certificate from one file, again for each connection. So an {@link AnonymousFile} keeps a copy of
 * them until the last session has ended.
 */
final class LibraryAccess implements AutoCloseable {
  private final Access access;

  /** The key with its certificate; empty without one. */
  private final Optional<AnonymousFile> identity;

  /** The number of its open sessions, plus one until it is closed. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final AtomicBoolean closed = new AtomicBoolean();

  private LibraryAccess(Access access, Optional<AnonymousFile> identity) {
    this.access = access;
    this.identity = identity;
  }

  static LibraryAccess of(Access access) {
    if (access.tls().isPresent() && !access.tls().get().files().checksName()) {
      throw new QuorateException(
          "--tls-name-check=off: ZooKeeper's library always checks the name; leave it out, and give"
              + " the endpoint as its certificate has it");
    }
    return new LibraryAccess(
        access, access.tls().flatMap(ClientTls::identity).map(LibraryAccess::copied));
  }

  /** Begins a session. */
  ZooKeeper begin(String server, int timeoutMillis, Watcher watcher) throws IOException {
    return loggedIn(new ZooKeeper(server, timeoutMillis, watcher, false, config()));
  }

  /** Begins a session at one of several servers, which can be left to its timeout. */
  AbandonableZooKeeper begin(HostProvider servers, int timeoutMillis, Watcher watcher)
      throws IOException {
    return loggedIn(new AbandonableZooKeeper(timeoutMillis, watcher, servers, config()));
  }

  private <T extends ZooKeeper> T loggedIn(T begun) {
    if (access.login() instanceof Login.Password login) {
      begun.addAuthInfo("digest", ZooKeeperAccess.digest(login));
    }
    return begun;
  }

  List<ACL> acl() {
    return new ZooKeeperAccess(access).acl();
  }

  private static AnonymousFile copied(String identity) {
    try {
      return AnonymousFile.write(identity);
    } catch (IOException impossible) {
      throw new QuorateException(
          "the key cannot be copied for ZooKeeper's client: " + FileFailure.reason(impossible));
    }
  }

  private ZKClientConfig config() {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(DriverSettings.MAX_MESSAGE_BYTES));
    if (access.tls().isEmpty()) {
      return config;
    }
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    config.setProperty(
        "zookeeper.ssl.trustStore.location",
        access.tls().get().files().authority().toAbsolutePath().toString());
    config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
    config.setProperty("zookeeper.ssl.enabledProtocols", "TLSv1.3,TLSv1.2");
    if (identity.isPresent()) {
      config.setProperty("zookeeper.ssl.keyStore.location", identity.get().path().toString());
      config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
    }
    return config;
  }

  /** Notes a new session, which reads the key until it ends. */
  void sessionBegins() {
    users.incrementAndGet();
  }

  /** Removes the copy of the key as soon as the last session has ended. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      sessionEnded();
    }
  }

  void sessionEnded() {
    try {
      if (users.decrementAndGet() == 0 && identity.isPresent()) {
        identity.get().close();
      }
    } catch (IOException later) {
      // it is removed when this JVM ends
      return;
    }
  }
}
