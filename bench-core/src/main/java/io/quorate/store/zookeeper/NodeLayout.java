// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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

  /** Creates a node, and says whether it exists now. */
  interface Maker {
    void make(String path, Consumer<Boolean> exists);
  }

  /** Returns whether new keys need no further directory: {@link #makeRoom} does nothing then. */
  default boolean hasRoom() {
    return true;
  }

  /** Creates the directory of a new key, unless it exists, and then runs what needs it. */
  default void makeRoom(byte[] key, Maker maker, Runnable use) {
    use.run();
  }

  /** Does so for several keys. */
  default void makeRoom(Iterator<byte[]> keys, Maker maker, Runnable use) {
    if (keys.hasNext()) {
      makeRoom(keys.next(), maker, () -> makeRoom(keys, maker, use));
    } else {
      use.run();
    }
  }

  /**
   * Returns the part of the keys of a range that the names of its nodes lack: these nodes are the
   * children of one node, whose path is that part.
   */
  default String before(byte[] prefix) {
    String text = new String(prefix, ISO_8859_1);
    return text.substring(0, text.lastIndexOf('/') + 1);
  }

  /**
   * Groups keys that differ only in their last digits in one directory. The first of its keys
   * creates it, and others that are to be created meanwhile wait for that.
   */
  final class Groups implements NodeLayout {
    private final int digits;

    /** Whether each directory could be created. */
    private final Map<String, CompletableFuture<Boolean>> made = new ConcurrentHashMap<>();

    Groups(int digits) {
      this.digits = digits;
    }

    @Override
    public String path(byte[] key) {
      return directory(key) + "/" + new String(key, key.length - digits, digits, ISO_8859_1);
    }

    private String directory(byte[] key) {
      return "/" + new String(key, 0, key.length - digits, ISO_8859_1);
    }

    @Override
    public void prepare(ZooKeeperConnection session) {}

    @Override
    public boolean hasRoom() {
      return false;
    }

    /** Makes it again if another connection could not. */
    @Override
    public void makeRoom(byte[] key, Maker maker, Runnable use) {
      String path = directory(key);
      CompletableFuture<Boolean> own = new CompletableFuture<>();
      CompletableFuture<Boolean> other = made.putIfAbsent(path, own);
      if (other == null) {
        maker.make(
            path,
            exists -> {
              if (!exists) {
                made.remove(path, own);
              }
              own.complete(exists);
              use.run();
            });
      } else {
        other.thenAccept(
            exists -> {
              if (exists) {
                use.run();
              } else {
                makeRoom(key, maker, use);
              }
            });
      }
    }

    @Override
    public String before(byte[] prefix) {
      return new String(prefix, ISO_8859_1);
    }
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
