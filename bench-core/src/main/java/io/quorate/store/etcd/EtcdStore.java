// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import io.quorate.store.RequestPaths;
import io.quorate.store.SessionSupport;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes etcd v3 for clients. */
public final class EtcdStore {
  /** Versions whose servers cannot send ranges in chunks. */
  private static final String BEFORE_3_7 = "3\\.[0-6]\\..*";

  private static final RequestPath CONFIRMED = new RequestPath(1, 1, false);

  private static final RequestPaths PATHS =
      new RequestPaths(
          new RequestPath(1, 1, true),
          read -> read == ReadConsistency.SERIALIZABLE ? RequestPath.OWN : CONFIRMED);

  public static final Store STORE =
      new Store(
              "etcd",
              "etcd",
              List.of(
                  new ClientKind("http2", EtcdDriver::client),
                  new ClientKind("jetcd", JetcdDriver::client)
                      .without(Operation.REGISTER, Operation.EXPIRE)),
              new Capabilities(EtcdOperation.all(), Capabilities.RangeReads.STREAMED, 128, Map.of())
                  .withReadsInTxn()
                  .withExpiry(Capabilities.Expiry.LEASE)
                  .withNonVoters(
                      new Capabilities.NonVoters(
                          Optional.of("learner"),
                          true,
                          "a learner of etcd answers serializable reads only, and logs nobody in")),
              new WatchSupport(
                  WatchSupport.Delivery.EVERY_CHANGE,
                  WatchSupport.Delivery.EVERY_CHANGE,
                  "",
                  false,
                  true,
                  true),
              read ->
                  read == ReadConsistency.SERIALIZABLE
                      ? ReadGuarantee.STALE
                      : ReadGuarantee.LINEARIZABLE,
              Optional.of(PATHS),
              Optional.empty(),
              Login.Kind.PASSWORD)
          .withSessions(
              new SessionSupport(Duration.ofSeconds(2), Duration.ofSeconds(9_000_000_000L), false));

  private EtcdStore() {}

  /** Returns the store with servers of a version, or of an own program with a name. */
  static Store inVersion(String version) {
    Capabilities can = STORE.capabilities();
    return STORE.inVersion(version, version.matches(BEFORE_3_7) ? can.withoutStreams() : can);
  }
}
