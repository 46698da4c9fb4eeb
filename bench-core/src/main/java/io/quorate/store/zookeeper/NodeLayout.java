// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.QuorateException;
import java.util.Arrays;
import org.apache.zookeeper.KeeperException.Code;

/** Maps keys to nodes. Safe for several threads. */
public interface NodeLayout {
  String path(byte[] key);

  /** Creates the parent nodes of keys, if they do not exist; blocks until that is done. */
  void prepare(ZooKeeperConnection session);

  /** Returns the layout of keys that begin with a prefix, whose nodes are below the prefix. */
  default NodeLayout below(String prefix) {
    return this;
  }

  /** Layout with every key as a child of the root, or of the node of its prefix. */
  NodeLayout FLAT =
      new NodeLayout() {
        @Override
        public String path(byte[] key) {
          return "/" + new String(key, ISO_8859_1);
        }

        @Override
        public void prepare(ZooKeeperConnection session) {}
      };

  /**
   * Spreads keys over a thousand children of the root, for zetcd. It counts the children of a node
   * in one key of etcd, and repeats a create or delete if this key has changed in between. Below
   * one parent, a hundred clients would hinder each other until sessions break.
   */
  final class Directories implements NodeLayout {
    private static final int COUNT = 1000;

    private final String parent;

    private final int prefixBytes;

    public Directories() {
      this("");
    }

    private Directories(String prefix) {
      this.parent = "/" + prefix;
      this.prefixBytes = prefix.length();
    }

    @Override
    public NodeLayout below(String prefix) {
      return new Directories(prefix);
    }

    @Override
    public String path(byte[] key) {
      return directory(Math.floorMod(Arrays.hashCode(key), COUNT))
          + "/"
          + new String(key, prefixBytes, key.length - prefixBytes, ISO_8859_1);
    }

    /**
     * Creates the nodes one after the other, because they have one parent; by one thread of this
     * process.
     */
    @Override
    public synchronized void prepare(ZooKeeperConnection session) {
      if (!KeyNodes.exists(session, directory(COUNT - 1))) {
        for (int number = 0; number < COUNT; number++) {
          ZooKeeperReply reply = KeyNodes.create(session, directory(number), new byte[0]);
          // another load generator may have created it
          if (!reply.isOk() && !reply.is(Code.NODEEXISTS)) {
            throw new QuorateException("cannot make the directories of keys: " + reply);
          }
        }
      }
    }

    private String directory(int number) {
      return parent + Integer.toString(COUNT + number).substring(1);
    }
  }
}
