// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quorate.store.consul.ConsulAnswer;
import io.quorate.store.etcd.EtcdStatus;
import io.quorate.store.zookeeper.ZooKeeperCode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how each store's errors are classified. */
final class ErrorKindTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DEADLINE_EXCEEDED  | context deadline exceeded                 | TIMEOUT",
        "UNAVAILABLE        | io exception                              | CONNECTION",
        "UNAVAILABLE        |                                           | CONNECTION",
        "UNAVAILABLE        | etcdserver: server stopped                | CONNECTION",
        "UNAVAILABLE        | etcdserver: request timed out             | TIMEOUT",
        "UNAVAILABLE        | etcdserver: no leader                     | NO_LEADER",
        "UNAVAILABLE        | etcdserver: unhealthy cluster             | REJECTED",
        "UNAVAILABLE        | etcdserver: leader changed                | OTHER",
        "UNAVAILABLE        | etcdserver: something new                 | OTHER",
        "UNAVAILABLE        | etcdserver: request timed out, possibly due to previous leader failure | TIMEOUT",
        "FAILED_PRECONDITION | etcdserver: not leader                   | REJECTED",
        "UNKNOWN            | raft proposal dropped                     | OTHER",
        "DATA_LOSS          | etcdserver: corrupt cluster               | OTHER",
        "CANCELLED          | etcdserver: request cancelled             | OTHER",
        "RESOURCE_EXHAUSTED | etcdserver: mvcc: database space exceeded | REJECTED",
        "INVALID_ARGUMENT   | etcdserver: request is too large          | REJECTED",
        "UNKNOWN            | channel closed                            | CONNECTION",
        "UNKNOWN            | what is this                              | OTHER",
        "INTERNAL           | what is this                              | OTHER"
      })
  void etcd(Status.Code code, String description, ErrorKind kind) {
    assertThat(EtcdStatus.kind(code.toStatus().withDescription(description))).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECTIONLOSS, CONNECTION",
    "SESSIONEXPIRED, CONNECTION",
    "SESSIONMOVED, CONNECTION",
    "AUTHFAILED, CONNECTION",
    "OPERATIONTIMEOUT, TIMEOUT",
    "REQUESTTIMEOUT, TIMEOUT",
    "NODEEXISTS, REJECTED",
    "QUOTAEXCEEDED, REJECTED",
    "THROTTLEDOP, REJECTED",
    "NOAUTH, REJECTED",
    "MARSHALLINGERROR, OTHER",
    "UNIMPLEMENTED, OTHER"
  })
  void zookeeper(Code code, ErrorKind kind) {
    assertThat(ZooKeeperCode.kind(code)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500 | No cluster leader                                          | NO_LEADER",
        "500 | rpc error making call: No cluster leader                   | NO_LEADER",
        "500 | rpc error making call: node is not the leader              | REJECTED",
        "500 | timed out enqueuing operation                              | REJECTED",
        "500 | leadership lost while committing log                       | OTHER",
        "500 | rpc error making call: EOF                                 | OTHER",
        "400 | Must provide key                                           | REJECTED",
        "403 | Permission denied: token lacks permission                  | REJECTED",
        "413 | Request body(600000 bytes) too large, max size: 524288     | REJECTED",
        "429 | Your IP is issuing too many concurrent connections         | REJECTED",
        "503 | rate limit exceeded, try again later                       | REJECTED",
        "503 | no healthy upstream                                        | OTHER",
        "500 | leadership transfer in progress                            | OTHER",
        "500 | raft apply failed: leadership lost while committing log    | OTHER",
        "502 | bad gateway                                                | OTHER",
        "404 | 404 page not found                                         | OTHER",
        "302 |                                                            | OTHER",
        "504 |                                                            | TIMEOUT"
      })
  void consul(int status, String said, ErrorKind kind) {
    assertThat(ConsulAnswer.kind(status, said == null ? "" : said)).isEqualTo(kind);
  }

  @Test
  void a_code_that_the_library_does_not_know_is_OTHER() {
    assertThat(ZooKeeperCode.kind(null)).isEqualTo(ErrorKind.OTHER);
  }

  @Test
  void a_message_is_one_line_with_the_code_in_front() {
    assertThat(EtcdStatus.message(Status.UNAVAILABLE.withDescription("io exception\nPipeline: []")))
        .isEqualTo("UNAVAILABLE: io exception");
    assertThat(EtcdStatus.message(Status.UNAVAILABLE)).isEqualTo("UNAVAILABLE");
    assertThat(ConsulAnswer.message(500, "No cluster leader\nat line 2"))
        .isEqualTo("HTTP 500: No cluster leader");
    assertThat(ConsulAnswer.message(504, "")).isEqualTo("HTTP 504");
  }
}
