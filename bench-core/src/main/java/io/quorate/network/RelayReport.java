// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

/**
 * A relay's report about an order that it has carried out.
 *
 * @param number number of the order, from 1
 * @param connections number of open connections that it affected
 * @param bytes bytes that were sent on the hops under the effect before this order; 0 if there was
 *     none
 */
public record RelayReport(int number, int connections, long bytes) {}
