// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

/**
 * A check of servers or machines in words.
 *
 * @param id name in lower case with hyphens, such as {@code etcd-wal-fsync}
 * @param title what is measured
 * @param source source of the limit
 * @param action what to do, as an imperative without a full stop
 */
public record CheckRule(String id, String title, String limit, String source, String action) {}
