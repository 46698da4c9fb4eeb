// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

/** The result of comparing a read value with the one that was written to its key. */
public enum ValueCheck {
  /** Value that is the same in every byte. */
  INTACT("as it was written"),
  EMPTY("the value that was read is empty"),
  SHORTER("the value that was read is shorter than the one that was written"),
  LONGER("the value that was read is longer than the one that was written"),
  /** Complete value of the same run that was written to another key. */
  OF_ANOTHER_KEY("the value that was read is one that was written to another key"),
  ALTERED("the value that was read differs from the one that was written"),
  /** Value that was certainly replaced before. */
  OUTDATED("the value that was read is an older one, which was replaced"),
  /** Value of a write that the store reported as not carried out. */
  NOT_CARRIED_OUT("the read value belongs to a write that was not carried out"),
  OTHER_KEYS("the range that was read has other keys than those that were written");

  private final String message;

  ValueCheck(String message) {
    this.message = message;
  }

  /** Returns the message of the error of kind {@code corrupt}. */
  public String message() {
    return message;
  }
}
