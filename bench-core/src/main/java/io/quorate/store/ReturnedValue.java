// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/** The part of the keys of a range that is returned. */
public enum ReturnedValue {
  ENTRIES,
  /** Keys without their values. */
  KEYS,
  /** Their number alone. */
  COUNT
}
