package io.quorate.load.verify;

/** Receives the progress of reading keys back, about five times a second. */
@FunctionalInterface
public interface VerificationProgress {
  /**
   * Reports progress.
   *
   * @param read how many keys were read
   * @param all how many are to be read
   */
  void read(long read, long all);
}
