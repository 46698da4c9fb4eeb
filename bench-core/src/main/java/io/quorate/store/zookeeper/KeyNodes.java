// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/**
 * The nodes of a key prefix: {@code /quorate} and {@code /quorate/RUN} for {@code quorate/RUN/}.
 * Its methods block until the server has answered.
 */
final class KeyNodes {
  private static final int ANY_VERSION = -1;

  /** Content of the nodes that Quorate creates; other nodes are never removed. */
  private static final byte[] MARK = "Quorate".getBytes(US_ASCII);

  private final ZooKeeper handle;
  private final List<String> paths = new ArrayList<>();
  private final String last;

  KeyNodes(ZooKeeper handle, String prefix) {
    this.handle = handle;
    String path = "";
    for (String part : prefix.split("/")) {
      path += "/" + part;
      paths.add(path);
    }
    this.last = path;
  }

  private interface Calls {
    void make() throws KeeperException, InterruptedException;
  }

  /** Creates the nodes; fails if the last one exists. */
  void create(ZooKeeperAccess access) {
    call("create", () -> create(access.acl(), 0), access::explain);
  }

  private void create(List<ACL> acl, int first) throws KeeperException, InterruptedException {
    for (int i = first; i < paths.size(); i++) {
      try {
        handle.create(paths.get(i), MARK, acl, CreateMode.PERSISTENT);
      } catch (KeeperException.NodeExistsException exists) {
        if (i == paths.size() - 1) {
          throw new QuorateException(
              "the servers have a node %s, perhaps of another run. Delete it, or choose another name for this run."
                  .formatted(last),
              exists);
        }
      } catch (KeeperException.NoAuthException denied) {
        // a node above the keys may exist, even if this user may not create it
        if (i == paths.size() - 1 || handle.exists(paths.get(i), false) == null) {
          throw denied;
        }
      } catch (KeeperException.NoNodeException removed) { // by another run that has just ended
        if (i == 0) {
          throw removed;
        }
        create(acl, i - 1);
        return;
      }
    }
  }

  /**
   * Removes the nodes, with keys that late requests have left below the last one; keeps nodes of
   * other programs.
   */
  void remove() {
    call(
        "remove",
        () -> {
          removeBelow(last);
          for (int i = paths.size() - 2; i >= 0; i--) {
            removeIfOurs(paths.get(i));
          }
        },
        KeeperException::toString);
  }

  private void removeBelow(String path) throws KeeperException, InterruptedException {
    try {
      for (String child : handle.getChildren(path, false)) {
        removeBelow(path + "/" + child);
      }
      handle.delete(path, ANY_VERSION);
    } catch (KeeperException.NoNodeException gone) {
      // so it is removed
    }
  }

  private void removeIfOurs(String path) throws KeeperException, InterruptedException {
    try {
      if (Arrays.equals(handle.getData(path, false, null), MARK)) {
        handle.delete(path, ANY_VERSION);
      }
    } catch (KeeperException.NotEmptyException | KeeperException.NoAuthException used) {
      // by another run, or made for this user
    } catch (KeeperException.NoNodeException gone) {
      // so it is removed
    }
  }

  private void call(String what, Calls calls, Function<KeeperException, String> reason) {
    try {
      calls.make();
    } catch (KeeperException failure) {
      throw new QuorateException(
          "cannot %s the node %s: %s".formatted(what, last, reason.apply(failure)), failure);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted at the node " + last, stop);
    }
  }
}
