// SPDX-License-Identifier: Apache-2.0
package org.apache.zookeeper;

import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A configuration that also contains an action for each answer of the server, of which most are
 * answers to pings: ZooKeeper's client hides them. The sockets of this package run it, on the
 * thread that sends.
 */
public final class AnswerConfig extends ZKClientConfig {
  private final Runnable answered;

  public AnswerConfig(Runnable answered) {
    this.answered = answered;
  }

  /** Runs the action of a configuration, if it has one. */
  static void answered(ZKClientConfig config) {
    if (config instanceof AnswerConfig known) {
      known.answered.run();
    }
  }
}
