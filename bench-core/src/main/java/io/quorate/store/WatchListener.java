package io.quorate.store;

/**
 * Receives what a watch reports, on threads of the client, one at a time. It must not block and
 * must not throw.
 */
public interface WatchListener {
  /**
   * Reports, once, that the watch is in place: every change that a request makes which is sent from
   * now on will be reported, as far as {@link WatchSupport} promises.
   */
  void started();

  /**
   * Reports that a key was written; removals are not reported.
   *
   * @param key not to be changed
   * @param value that was written, not to be changed; of length 0 if the store does not report it
   *     ({@link WatchSupport.Delivery#EVERY_KEY})
   * @param revision of the write, as in {@link Answer.Found} for a watch of one key; for a prefix a
   *     number that does not decrease from one change to the next; {@link Answer#NO_REVISION} if
   *     the store reports none
   */
  void changed(byte[] key, byte[] value, long revision);

  /**
   * Reports that the watch was cut. It is started anew, without another call of {@link #started},
   * and continues after the last change that was reported if the store can do that.
   */
  void interrupted(String why);

  /** Reports, at most once and as the last thing, that the watch cannot be started or continue. */
  void failed(String why);
}
