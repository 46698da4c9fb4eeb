// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

/**
 * A load, and the trials of the final length that decided about it. There are no such trials if all
 * of them were undecided or spoiled.
 *
 * @param load requests per second, or clients
 * @param passed how many of the trials that decided were within the limits
 * @param trials how many decided
 */
public record Bound(long load, int passed, int trials) {}
