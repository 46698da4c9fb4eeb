// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * Receives the reports of a watch, on threads of the client, one at a time. It must not block and
 * must not throw.
 */
public interface WatchListener {
  /**
   * Reports, once, that the watch is in place: the changes of all requests from now on will be
   * reported, within the limits of {@link WatchSupport}.
   */
  void started();

  /**
   * Reports that a key was written.
   *
   * @param key written key, not to be changed
   * @param value written value, not to be changed; empty if the store does not report it ({@link
   *     WatchSupport.Delivery#EVERY_KEY})
   * @param revision revision of the write. For a watch of one key it is as in {@link Answer.Found};
   *     for a prefix it is a number that never decreases. {@link Answer#NO_REVISION} if the store
   *     reports none
   */
  void changed(byte[] key, byte[] value, long revision);

  /**
   * Reports that a key with the watched prefix was removed. A watch of one key need not report it.
   *
   * @param key removed key, not to be changed
   */
  default void removed(byte[] key) {}

  /**
   * Reports how far a watch is that has {@link Watch#progress}, or after {@link
   * Subscriptions#requestProgress}.
   *
   * @param revision revision up to which all changes were reported
   */
  default void progressed(long revision) {}

  /**
   * Reports that the watch was interrupted. It is restarted, without another call of {@link
   * #started}, and continues after the last reported change if the store supports that.
   */
  void interrupted(String why);

  /** Reports, at most once and as the last call, that the watch cannot be started or continued. */
  void failed(String why);
}
