// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.tls.AnonymousFile;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.StampedNettySocket;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;

/**
 * How the sessions of one client authenticate. ZooKeeper's client reads key and certificate from
 * one file, again for each connection. So an {@link AnonymousFile} keeps a copy of them until the
 * last session has ended.
 */
final class ZooKeeperAccess implements AutoCloseable {
  /** File with key and certificate that a user makes for ZooKeeper's shell. */
  private static final String BOTH = "quorate-client.pem";

  private final Access access;

  /** The key with its certificate; empty without one. */
  private final Optional<AnonymousFile> identity;

  /** The number of its open sessions, plus one until it is closed. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final AtomicBoolean closed = new AtomicBoolean();

  private ZooKeeperAccess(Access access, Optional<AnonymousFile> identity) {
    this.access = access;
    this.identity = identity;
  }

  static ZooKeeperAccess of(Access access) {
    if (access.tls().isPresent() && !access.tls().get().files().checksName()) {
      throw new QuorateException(
          "--tls-name-check=off: ZooKeeper's client always checks the name; leave it out, and give"
              + " the endpoint as its certificate has it");
    }
    return new ZooKeeperAccess(
        access, access.tls().flatMap(ClientTls::identity).map(ZooKeeperAccess::copied));
  }

  private static AnonymousFile copied(String identity) {
    try {
      return AnonymousFile.write(identity);
    } catch (IOException impossible) {
      throw new QuorateException(
          "the key cannot be copied for ZooKeeper's client: " + FileFailure.reason(impossible));
    }
  }

  void configure(ZKClientConfig config) {
    if (access.tls().isEmpty()) {
      return;
    }
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, StampedNettySocket.class.getName());
    config.setProperty(
        "zookeeper.ssl.trustStore.location",
        access.tls().get().files().authority().toAbsolutePath().toString());
    config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
    config.setProperty("zookeeper.ssl.enabledProtocols", "TLSv1.3,TLSv1.2");
    if (identity.isPresent()) {
      config.setProperty("zookeeper.ssl.keyStore.location", identity.get().path().toString());
      config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
    }
  }

  /** Returns how a user runs a command in ZooKeeper's shell with this access; has no secret. */
  static String shell(Endpoint server, Access access, String command) {
    Optional<TlsFiles> tls = access.tls().map(ClientTls::files);
    String shell = tls.map(ZooKeeperAccess::flags).orElse("") + "zkCli.sh -server " + server;
    String line =
        access.login() instanceof Login.Password login
            ? "printf '%s\\n' "
                + ShellText.of(List.of("addauth digest " + login.user() + ":...", command))
                + " | "
                + shell
            : shell + " " + command;
    return tls.flatMap(TlsFiles::identity)
        .map(own -> List.of("cat", own.key().toString(), own.certificate().toString()))
        .map(both -> "(umask 077; " + ShellText.of(both) + " > " + BOTH + "); " + line)
        .orElse(line);
  }

  private static String flags(TlsFiles files) {
    List<String> flags = new ArrayList<>();
    flags.add("client.secure=true");
    flags.add("clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty");
    flags.add("ssl.trustStore.location=" + files.authority());
    flags.add("ssl.trustStore.type=PEM");
    if (files.identity().isPresent()) {
      flags.add("ssl.keyStore.location=" + BOTH);
      flags.add("ssl.keyStore.type=PEM");
    }
    flags.replaceAll("-Dzookeeper."::concat);
    return "CLIENT_JVMFLAGS=" + ShellText.quoted(String.join(" ", flags)) + " ";
  }

  void logIn(ZooKeeper handle) {
    if (access.login() instanceof Login.Password login) {
      String text = login.user() + ":" + login.password();
      handle.addAuthInfo("digest", text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Returns the access rights of created nodes: only for their creator, if it is authenticated. */
  List<ACL> acl() {
    return identity.isPresent() || access.login() != Login.NONE
        ? ZooDefs.Ids.CREATOR_ALL_ACL
        : ZooDefs.Ids.OPEN_ACL_UNSAFE;
  }

  /** Returns the reason why a node could not be created, with advice if possible. */
  String explain(KeeperException failure) {
    if (failure instanceof KeeperException.NoAuthException) {
      String path = String.valueOf(failure.getPath());
      String parent = path.substring(0, Math.max(0, path.lastIndexOf('/')));
      return "ZooKeeper does not let "
          + (access.login() == Login.NONE ? "us" : "this user")
          + " create nodes below "
          + (parent.isEmpty() ? "/" : parent)
          + (access.login() == Login.NONE
              ? ": name a user that may"
              : ": check user and password, and the ACL of that node");
    }
    return failure instanceof KeeperException.InvalidACLException
        ? "ZooKeeper does not know who we are: name a user, or a certificate that it takes"
        : failure.toString();
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
