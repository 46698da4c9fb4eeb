// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RequiresDatabase("etcd")
class EtcdHistoryIT {
  private static final String KEY = "\"key\": \"a2V5\"";

  @ParameterizedTest
  @EnumSource(Security.class)
  void forgetsEarlierValuesAndKeepsTheCurrentOne(Security security) throws IOException {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE, 1, security);
    put(cluster, "Zmlyc3Q=");
    String first = put(cluster, "c2Vjb25k").json().at("/header/revision").asText();
    put(cluster, "dGhpcmQ=");
    assertThat(valueAt(cluster, first)).contains("c2Vjb25k");

    cluster.forgetHistory();

    assertThat(valueAt(cluster, first)).contains("required revision has been compacted");
    assertThat(valueAt(cluster, "0")).contains("dGhpcmQ=");
    assertThatCode(cluster::forgetHistory).as("nothing left to do").doesNotThrowAnyException();
  }

  @Test
  void a_member_that_is_up_ends_leases_of_keys_with_a_prefix_and_no_others() throws IOException {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE);
    for (int lease = 4711; lease <= 4713; lease++) {
      post(cluster, "lease/grant", "{\"ID\": %d, \"TTL\": 600}".formatted(lease));
    }
    for (int key = 1; key <= 5; key++) { // a page of them is too large for one answer
      put(cluster, "quorate/leased/" + key, 4711);
    }
    put(cluster, "quorate/leased/6", 4712);
    put(cluster, "others/leased", 4712);
    Member down = Member.elsewhere(1, "etcd-1", new Endpoint("127.0.0.1", 1));

    int ended =
        new MemberProtocol(EtcdStore.STORE, cluster.access())
            .endLeases(List.of(down, cluster.members().get(0)), "quorate/leased/");

    assertThat(ended).isEqualTo(1);
    assertThat(post(cluster, "lease/leases", "{}").body())
        .contains("4712", "4713")
        .doesNotContain("4711");
    for (int lease = 4712; lease <= 4713; lease++) {
      post(cluster, "lease/revoke", "{\"ID\": %d}".formatted(lease));
    }
  }

  private static void put(Cluster cluster, String key, int lease) throws IOException {
    String encoded = Base64.getEncoder().encodeToString(key.getBytes(UTF_8));
    String value = "AAAA".repeat(300_000);
    post(
        cluster,
        "kv/put",
        "{\"key\": \"%s\", \"value\": \"%s\", \"lease\": %d}".formatted(encoded, value, lease));
  }

  private static HttpResponseText put(Cluster cluster, String value) throws IOException {
    return post(cluster, "kv/put", "{" + KEY + ", \"value\": \"" + value + "\"}");
  }

  private static String valueAt(Cluster cluster, String revision) throws IOException {
    return post(cluster, "kv/range", "{" + KEY + ", \"revision\": " + revision + "}").body();
  }

  private static HttpResponseText post(Cluster cluster, String call, String body)
      throws IOException {
    EtcdApi api =
        new EtcdApi(cluster.members().get(0).endpoint(), cluster.access(), ServerProtocol.TIMEOUT);
    return api.post(call, body, api.authorization());
  }
}
