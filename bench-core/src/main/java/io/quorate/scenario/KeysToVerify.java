package io.quorate.scenario;

import io.quorate.Named;

/** The keys that are read back after a load that writes, of those that were acknowledged. */
public enum KeysToVerify implements Named {
  NONE,
  /** All of them up to {@value #MAX_OF_SAMPLE}; of more, as many, drawn from the seed. */
  SAMPLE,
  ALL;

  /** Number of keys up to which a sample is all of them. */
  public static final int MAX_OF_SAMPLE = 100_000;
}
