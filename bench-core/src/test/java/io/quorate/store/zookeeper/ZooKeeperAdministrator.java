// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.store.Access;
import io.quorate.store.Administrator;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** Keeps the node of runs, which everybody may list, and creates no other node. */
public record ZooKeeperAdministrator(Endpoint server, Access access) implements Administrator {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final FourLetterWord DUMP = new FourLetterWord("dump", 1 << 20);

  private interface Calls<T> {
    T make(ZooKeeper handle) throws KeeperException, InterruptedException, NoSuchAlgorithmException;
  }

  @Override
  public Login addUser() throws IOException {
    Login.Password login = new Login.Password("bench", "secret");
    return call(
        handle -> {
          String digest = DigestAuthenticationProvider.generateDigest("bench:secret");
          handle.create(
              "/quorate",
              "of the administrator".getBytes(UTF_8),
              Arrays.asList(
                  new ACL(ZooDefs.Perms.ALL, new Id("digest", digest)),
                  new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
              CreateMode.PERSISTENT);
          handle.setACL("/", ZooDefs.Ids.READ_ACL_UNSAFE, -1);
          return login;
        });
  }

  /** Returns the nodes of runs, and the nodes of sessions, each of which is named. */
  @Override
  public List<String> left() throws IOException {
    List<String> left = new ArrayList<>(call(handle -> handle.getChildren("/quorate", false)));
    DUMP.ask(server, access, LIMIT)
        .lines()
        .filter(line -> line.startsWith("\t/quorate/"))
        .forEach(left::add);
    return left;
  }

  private <T> T call(Calls<T> calls) throws IOException {
    try (LibraryHandle library = LibraryHandle.open(server, access)) {
      return calls.make(library.handle());
    } catch (KeeperException | NoSuchAlgorithmException failure) {
      throw new IOException(failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupt);
    }
  }
}
