// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.QuorateException;
import java.util.Arrays;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** Maps keys to nodes. Safe for several threads. */
public interface NodeLayout {
  String path(byte[] key);

  /** Creates the parent nodes of keys, if they do not exist; blocks until that is done. */
  void prepare(ZooKeeper handle);

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
        public void prepare(ZooKeeper handle) {}
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
    public synchronized void prepare(ZooKeeper handle) {
      try {
        if (handle.exists(directory(COUNT - 1), false) == null) {
          for (int number = 0; number < COUNT; number++) {
            create(handle, directory(number));
          }
        }
      } catch (KeeperException failure) {
        throw new QuorateException("cannot make the directories of keys: " + failure, failure);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new QuorateException("interrupted while making the directories of keys", stop);
      }
    }

    private static void create(ZooKeeper handle, String path)
        throws KeeperException, InterruptedException {
      try {
        handle.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      } catch (NodeExistsException made) {
        // by another load generator
      }
    }

    private String directory(int number) {
      return parent + Integer.toString(COUNT + number).substring(1);
    }
  }
}
