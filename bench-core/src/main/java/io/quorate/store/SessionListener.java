// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * Receives the reports of a session, on threads of the client, one at a time. It must not block and
 * must not throw.
 */
public interface SessionListener {
  /**
   * Reports that the store acknowledged a keep-alive.
   *
   * @param sentNanos nano time before it was sent; that of the acknowledgment if it is not known
   * @param nanos nano time of the acknowledgment
   */
  default void renewed(long sentNanos, long nanos) {}

  /**
   * Reports, at most once, that the store has ended the session, when the client learns of it. Not
   * called after {@link Session#abandon} or {@link Session#close}.
   */
  void lost(String why);
}
