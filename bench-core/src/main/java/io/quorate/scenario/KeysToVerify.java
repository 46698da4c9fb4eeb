// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;

/** The acknowledged keys that are read back after a load that writes. */
public enum KeysToVerify implements Named {
  NONE,
  /** All keys up to {@value #MAX_OF_SAMPLE}; otherwise that many keys, drawn from the seed. */
  SAMPLE,
  ALL;

  /** Largest number of keys of a sample. */
  public static final int MAX_OF_SAMPLE = 100_000;
}
