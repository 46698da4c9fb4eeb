// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Arrays;

/**
 * The keys that are watched: one key, or all keys with a prefix.
 *
 * @param key the key, or the prefix of several keys
 * @param prefix whether the key is a prefix
 * @param fromRevision the revision of the first reported change, from {@link Answer.Written}; 0 for
 *     changes from now on
 * @param previous whether each change is reported with the value before it
 * @param progress whether the store reports from time to time how far a watch without changes is
 * @param pauseMillis time between two messages that are taken from its stream; 0 for none
 */
public record Watch(
    byte[] key,
    boolean prefix,
    long fromRevision,
    boolean previous,
    boolean progress,
    long pauseMillis) {
  /** Creates a watch without previous values and progress. */
  public Watch(byte[] key, boolean prefix, long fromRevision) {
    this(key, prefix, fromRevision, false, false, 0);
  }

  public static Watch ofKey(byte[] key) {
    return new Watch(key, false, 0);
  }

  public static Watch ofPrefix(byte[] prefix) {
    return new Watch(prefix, true, 0);
  }

  /** Returns the same watch, beginning with the past changes since a revision. */
  public Watch since(long revision) {
    return new Watch(key, prefix, revision, previous, progress, pauseMillis);
  }

  /** Returns the same watch, with what it reports, and a pause between messages. */
  public Watch reporting(boolean values, boolean ofProgress, long millis) {
    return new Watch(key, prefix, fromRevision, values, ofProgress, millis);
  }

  public boolean covers(byte[] other) {
    return prefix
        ? other.length >= key.length && Arrays.equals(key, 0, key.length, other, 0, key.length)
        : Arrays.equals(key, other);
  }
}
