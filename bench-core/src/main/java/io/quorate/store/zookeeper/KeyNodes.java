// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;

/**
 * The nodes of a key prefix: {@code /quorate} and {@code /quorate/RUN} for {@code quorate/RUN/}.
 * Its methods block until the server has answered.
 */
final class KeyNodes {
  /** Content of the nodes that Quorate creates; other nodes are never removed. */
  private static final byte[] MARK = "Quorate".getBytes(US_ASCII);

  private final ZooKeeperConnection session;
  private final List<String> paths = new ArrayList<>();
  private final String last;

  KeyNodes(ZooKeeperConnection session, String prefix) {
    this.session = session;
    String path = "";
    for (String part : prefix.split("/")) {
      path += "/" + part;
      paths.add(path);
    }
    this.last = path;
  }

  /** Creates the nodes; fails if the last one exists. */
  void create() {
    create(0);
  }

  private void create(int first) {
    for (int i = first; i < paths.size(); i++) {
      String path = paths.get(i);
      boolean isLast = path.equals(last);
      ZooKeeperReply reply = create(session, path, MARK);
      if (reply.is(Code.NODEEXISTS)) {
        if (isLast) {
          throw new QuorateException(
              "the servers have a node %s, perhaps of another run. Delete it, or choose another name for this run."
                  .formatted(last));
        }
      } else if (reply.is(Code.NONODE) && i > 0) { // removed by another run that has just ended
        create(i - 1);
        return;
      } else if (!reply.isOk() && !(reply.is(Code.NOAUTH) && !isLast && exists(session, path))) {
        // a node above the keys may exist, even if this user may not create it
        throw new QuorateException(
            "cannot create the node %s: %s".formatted(last, session.access().explain(reply, path)));
      }
    }
  }

  static ZooKeeperReply create(ZooKeeperConnection session, String path, byte[] content) {
    return session.call(
        OpCode.create,
        new CreateRequest(path, content, session.access().acl(), CreateMode.PERSISTENT.toFlag()),
        reply -> reply);
  }

  static boolean exists(ZooKeeperConnection session, String path) {
    return session.call(OpCode.exists, new ExistsRequest(path, false), reply -> reply).isOk();
  }

  /**
   * Removes the nodes, with keys that late requests have left below the last one; keeps nodes of
   * other programs.
   */
  void remove() {
    removeBelow(last);
    for (int i = paths.size() - 2; i >= 0; i--) {
      removeIfOurs(paths.get(i));
    }
  }

  /** Returns the keys of all nodes below the last one. */
  List<String> below() {
    List<String> found = new ArrayList<>();
    addBelow(last, found);
    return found;
  }

  private void addBelow(String path, List<String> found) {
    List<String> children = new ArrayList<>();
    require(children(path, children), Code.NONODE);
    for (String child : children) {
      found.add(path.substring(1) + "/" + child);
      addBelow(path + "/" + child, found);
    }
  }

  private ZooKeeperReply children(String path, List<String> children) {
    return session.call(
        OpCode.getChildren,
        new GetChildrenRequest(path, false),
        reply -> {
          if (reply.isOk()) {
            children.addAll(reply.children());
          }
          return reply;
        });
  }

  private void removeBelow(String path) {
    List<String> children = new ArrayList<>();
    ZooKeeperReply listed = children(path, children);
    for (String child : children) {
      removeBelow(path + "/" + child);
    }
    // a node that does not exist is removed
    require(listed.isOk() ? delete(path) : listed, Code.NONODE);
  }

  private ZooKeeperReply delete(String path) {
    return session.call(
        OpCode.delete, new DeleteRequest(path, ZooKeeperDriver.ANY_VERSION), reply -> reply);
  }

  private void removeIfOurs(String path) {
    byte[][] content = new byte[1][];
    ZooKeeperReply read =
        session.call(
            OpCode.getData,
            new GetDataRequest(path, false),
            reply -> {
              content[0] = reply.isOk() ? reply.record().readBuffer("") : null;
              return reply;
            });
    // it may be in use by another run, or made for this user
    require(read, Code.NONODE, Code.NOAUTH);
    if (content[0] != null && isOurs(content[0])) {
      require(delete(path), Code.NONODE, Code.NOAUTH, Code.NOTEMPTY);
    }
  }

  /** Returns whether a content begins with the mark; the time of a run may follow. */
  private static boolean isOurs(byte[] content) {
    return Arrays.equals(Arrays.copyOf(content, MARK.length), MARK);
  }

  private void require(ZooKeeperReply reply, Code... also) {
    if (!reply.isOk() && Arrays.stream(also).noneMatch(reply::is)) {
      throw new QuorateException("cannot read or remove the node %s: %s".formatted(last, reply));
    }
  }
}
