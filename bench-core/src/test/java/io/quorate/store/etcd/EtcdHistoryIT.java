// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Security;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
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

  private static HttpResponseText put(Cluster cluster, String value) throws IOException {
    return post(cluster, "put", "{" + KEY + ", \"value\": \"" + value + "\"}");
  }

  private static String valueAt(Cluster cluster, String revision) throws IOException {
    return post(cluster, "range", "{" + KEY + ", \"revision\": " + revision + "}").body();
  }

  private static HttpResponseText post(Cluster cluster, String call, String body)
      throws IOException {
    EtcdApi api =
        new EtcdApi(cluster.members().get(0).endpoint(), cluster.access(), ServerProtocol.TIMEOUT);
    return api.post("kv/" + call, body, api.authorization());
  }
}
