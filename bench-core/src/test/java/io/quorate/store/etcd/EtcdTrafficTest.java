// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.etcd.EtcdTraffic.Counter;
import org.junit.jupiter.api.Test;

class EtcdTrafficTest {
  /** From etcd 3.6.8. */
  private static final String METRICS =
      """
      # TYPE grpc_server_handled_total counter
      grpc_server_handled_total{grpc_code="OK",grpc_method="Put",grpc_service="etcdserverpb.KV",grpc_type="unary"} 3
      grpc_server_handled_total{grpc_code="Unavailable",grpc_method="Put",grpc_service="etcdserverpb.KV",grpc_type="unary"} 2
      grpc_server_handled_total{grpc_code="OK",grpc_method="Range",grpc_service="etcdserverpb.KV",grpc_type="unary"} 1e+06
      grpc_server_handled_total{grpc_code="OK",grpc_method="Put",grpc_service="another.Service",grpc_type="unary"} 50
      grpc_server_started_total{grpc_method="Put",grpc_service="etcdserverpb.KV",grpc_type="unary"} 70
      grpc_server_msg_received_total{grpc_method="LeaseKeepAlive",grpc_service="etcdserverpb.Lease",grpc_type="bidi_stream"} 18
      grpc_server_msg_sent_total{grpc_method="LeaseKeepAlive",grpc_service="etcdserverpb.Lease",grpc_type="bidi_stream"} 9
      grpc_server_msg_received_total{grpc_method="Put",grpc_service="etcdserverpb.KV",grpc_type="unary"} 6
      etcd_mvcc_put_total 7
      etcd_debugging_mvcc_total_put_size_in_bytes 1814
      etcd_debugging_mvcc_watcher_total NaN
      etcd_debugging_mvcc_keys_total{
      """;

  @Test
  void counters_of_requests_are_added_up_over_codes_and_only_of_etcds_services() {
    EtcdTraffic traffic = EtcdTraffic.parsed(METRICS);
    assertThat(traffic.of(Counter.PUTS)).isEqualTo(5);
    assertThat(traffic.of(Counter.RECEIVED_PUTS)).isEqualTo(6);
    assertThat(traffic.of(Counter.FAILED)).isEqualTo(2);
    assertThat(traffic.of(Counter.RANGES)).isEqualTo(1_000_000);
    assertThat(traffic.of(Counter.LEASE_KEEPALIVES)).isEqualTo(9);
    assertThat(traffic.of(Counter.APPLIED_PUTS)).isEqualTo(7);
    assertThat(traffic.of(Counter.APPLIED_PUT_BYTES)).isEqualTo(1814);
    assertThat(traffic.values()).doesNotContainKeys(Counter.WATCHERS, Counter.KEYS, Counter.TXNS);
    assertThat(traffic.of(Counter.TXNS)).isZero();
  }
}
