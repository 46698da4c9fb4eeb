// SPDX-License-Identifier: Apache-2.0
package example;

/** What all simulations of this project share: servers and load, from system properties. */
final class Load {
  static final String[] ETCD = servers("etcd", "127.0.0.1:2379,127.0.0.1:2389,127.0.0.1:2399");
  static final String[] ZOOKEEPER =
      servers("zookeeper", "127.0.0.1:2181,127.0.0.1:2191,127.0.0.1:2201");

  /** New users per second. */
  static final int RATE = Integer.getInteger("rate", 50);

  static final int SECONDS = Integer.getInteger("seconds", 15);

  private Load() {}

  private static String[] servers(String name, String usual) {
    return System.getProperty(name, usual).split(",");
  }
}
