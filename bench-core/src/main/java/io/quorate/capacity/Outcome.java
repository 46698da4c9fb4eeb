// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

/** The ways in which a search may end. */
public enum Outcome {
  /** One load holds, and one a little above it does not. */
  FOUND,
  /**
   * As {@link #FOUND}, but the lower load is far within the limits and the upper one far beyond
   * them. Other limits would hardly change the capacity.
   */
  CLIFF,
  /** Not even the lowest load that was tried holds. */
  NONE_PASSES,
  /** Even the highest load that was tried holds. */
  NONE_FAILS,
  /** The load generator could not generate a load above the one that holds, if any does. */
  LIMITED_BY_LOAD_GENERATOR,
  /**
   * No capacity is known: trials contradict each other, too few of them decided, or the loads that
   * hold and fail are further apart than the search promises.
   */
  UNSTABLE
}
