// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * The watches that the clients of a store can start.
 *
 * @param ofKey changes that the watch of one key reports
 * @param ofPrefix changes that the watch of all keys with a prefix reports
 * @param reason why one of them is impossible, as readable text: a sentence without a full stop;
 *     empty if both are possible
 * @param connectionForEach whether each watch needs a separate connection, whatever the number of
 *     streams
 * @param history whether a watch can begin in the past
 * @param details whether it reports the values before changes and how far it is, and can be
 *     restarted after its last report
 */
public record WatchSupport(
    Delivery ofKey,
    Delivery ofPrefix,
    String reason,
    boolean connectionForEach,
    boolean history,
    boolean details) {
  /** Reason why a watch cannot begin in the past: a sentence without a full stop. */
  public static final String NO_HISTORY =
      "it keeps no history, so a watch only reports later changes";

  /** The changes that a watch reports. */
  public enum Delivery {
    /** None: the store has no such watch. */
    NONE,
    /** The latest state. A change that is soon followed by another one may be left out. */
    LATEST,
    /** Every change, but not the written value. */
    EVERY_KEY,
    EVERY_CHANGE
  }

  /** Creates the support of a store whose watches report no details. */
  public WatchSupport(
      Delivery ofKey,
      Delivery ofPrefix,
      String reason,
      boolean connectionForEach,
      boolean history) {
    this(ofKey, ofPrefix, reason, connectionForEach, history, false);
  }

  /** Creates the support of a store whose watches share the connection of their stream. */
  public WatchSupport(Delivery ofKey, Delivery ofPrefix, String reason) {
    this(ofKey, ofPrefix, reason, false, false);
  }

  public static WatchSupport none(String reason) {
    return new WatchSupport(Delivery.NONE, Delivery.NONE, reason);
  }

  public Delivery of(boolean prefix) {
    return prefix ? ofPrefix : ofKey;
  }

  /** Returns the number of connections of watches that are spread over a number of streams. */
  public int connections(int watches, int streams) {
    return connectionForEach ? watches : streams;
  }

  /** Checks, for clients, that a watch can be started; fails with the reason if it cannot. */
  public void require(Watch watch) {
    if (of(watch.prefix()) == Delivery.NONE) {
      throw new IllegalArgumentException("cannot watch this: " + reason);
    }
    if (watch.fromRevision() > 0 && !history) {
      throw new IllegalArgumentException("cannot watch the past: " + NO_HISTORY);
    }
    if ((watch.previous() || watch.progress()) && !details) {
      throw new IllegalArgumentException("cannot report previous values or progress");
    }
  }
}
