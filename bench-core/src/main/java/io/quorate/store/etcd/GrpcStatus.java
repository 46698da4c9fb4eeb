// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;

/**
 * Asks a server of etcd's protocol for its status over gRPC. Other servers than etcd, such as kine,
 * do not answer over HTTP.
 */
public final class GrpcStatus {
  public static final String ETCD = "etcd";

  /** The id of kine's store, and the name of the only member that kine lists. */
  public static final String KINE = "kine";

  /** Marks the version of a server that has no cluster, so that it is not etcd itself. */
  private static final String EMULATED = " (emulated)";

  private final EtcdApi api;
  private final String token;

  private GrpcStatus(EtcdApi api, String token) {
    this.api = api;
    this.token = token;
  }

  /**
   * Returns the state of a server. One without a cluster is its own leader. kine does not report
   * its own version, but the version of etcd that it emulates.
   *
   * @param store expected store: {@link #KINE}, or {@link #ETCD} for all others
   * @throws OtherStoreException if it is a server of the other store
   * @throws EtcdApi.LoginRefusedException if it requires another login
   * @throws IOException if it does not answer in time
   */
  public static ServerProtocol.State ask(
      String store, Endpoint endpoint, Access access, Duration timeout) throws IOException {
    EtcdApi api = new EtcdApi(endpoint, access, timeout);
    try {
      return new GrpcStatus(api, api.tokenIfAny()).state(store);
    } catch (StatusRuntimeException refused) {
      EtcdApi.requireUser(refused);
      throw new IOException("does not answer over gRPC: " + refused.getStatus(), refused);
    }
  }

  private ServerProtocol.State state(String store) throws IOException {
    StatusResponse status =
        api.call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), token);
    if (status.getVersion().isEmpty()) {
      throw new IOException("does not answer like " + store);
    }
    boolean alone = status.getHeader().getClusterId() == 0;
    requireStore(store, status.getVersion(), alone);
    boolean leads = alone || status.getLeader() == status.getHeader().getMemberId();
    return new ServerProtocol.State(
        status.getVersion() + (alone ? EMULATED : ""),
        alone || status.getLeader() != 0,
        leads,
        "status over gRPC, without HTTP",
        status.getRaftAppliedIndex(),
        !status.getIsLearner());
  }

  private void requireStore(String store, String version, boolean alone) throws IOException {
    if (!alone) {
      if (!store.equals(ETCD)) {
        throw new OtherStoreException("etcd " + version, ETCD);
      }
    } else if (isKine()) {
      if (!store.equals(KINE)) {
        throw new OtherStoreException(KINE, KINE);
      }
    } else if (store.equals(KINE)) {
      throw new IOException("does not list a member named kine");
    }
  }

  private boolean isKine() throws IOException {
    var all = MemberListRequest.getDefaultInstance();
    try {
      return api.call(ClusterGrpc.getMemberListMethod(), all, token).getMembersList().stream()
          .anyMatch(member -> member.getName().equals(KINE));
    } catch (IOException failed) {
      if (failed.getCause() instanceof StatusRuntimeException refused
          && refused.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return false;
      }
      throw failed;
    }
  }
}
