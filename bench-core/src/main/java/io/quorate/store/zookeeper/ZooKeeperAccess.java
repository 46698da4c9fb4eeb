// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.ShellText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.tls.ClientTls;
import io.quorate.tls.TlsFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.proto.AuthPacket;
import org.jspecify.annotations.Nullable;

/** How sessions authenticate, in ZooKeeper's terms. */
record ZooKeeperAccess(Access access) {
  /** File with key and certificate that a user makes for ZooKeeper's shell. */
  private static final String BOTH = "quorate-client.pem";

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

  /** Returns the login by which a session begins; null without one. */
  @Nullable AuthPacket login() {
    return access.login() instanceof Login.Password login
        ? new AuthPacket(0, "digest", digest(login))
        : null;
  }

  static byte[] digest(Login.Password login) {
    return (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the access rights of created nodes: only for their creator, if it is authenticated. */
  List<ACL> acl() {
    return access.authentication().isEmpty()
        ? ZooDefs.Ids.OPEN_ACL_UNSAFE
        : ZooDefs.Ids.CREATOR_ALL_ACL;
  }

  /** Returns the reason why a node could not be created, with advice if possible. */
  String explain(ZooKeeperReply failure, String path) {
    if (failure.is(Code.NOAUTH)) {
      String parent = path.substring(0, path.lastIndexOf('/'));
      return "ZooKeeper does not let "
          + (access.login() == Login.NONE ? "us" : "this user")
          + " create nodes below "
          + (parent.isEmpty() ? "/" : parent)
          + (access.login() == Login.NONE
              ? ": name a user that may"
              : ": check user and password, and the ACL of that node");
    }
    return failure.is(Code.INVALIDACL)
        ? "ZooKeeper does not know who we are: name a user, or a certificate that it takes"
        : failure.toString();
  }
}
