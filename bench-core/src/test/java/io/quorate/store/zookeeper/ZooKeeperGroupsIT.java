// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.SharedCluster;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import io.quorate.store.StoreContract;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys in directories, and those that end with their connection, by both clients. */
class ZooKeeperGroupsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ReadConsistency READ = ReadConsistency.LINEARIZABLE;

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "zookeeper"})
  void a_range_lists_the_directory_of_keys_that_differ_in_their_last_digits(String kind) {
    inGroups(
        kind,
        (client, prefix) -> {
          Connection driver = client.open(settings());
          List<byte[]> keys =
              IntStream.range(95, 205)
                  .mapToObj(number -> key(prefix + "%06d".formatted(number)))
                  .toList();
          keys.subList(0, 100).forEach(key -> written(driver, Request.create(key, key)));
          var puts = keys.subList(100, 110).stream().map(key -> Request.create(key, key)).toList();
          written(driver, new Request.Txn(puts, List.of(keys.get(7)), List.of()));

          assertThat(listed(driver, prefix + "0001"))
              .hasSize(99)
              .startsWith(prefix + "000100", prefix + "000101", prefix + "000103")
              .endsWith(prefix + "000199");
          assertThat(listed(driver, prefix + "0002")).hasSize(5);
          assertThat(outcome(driver, new Request.Exists(keys.get(7), READ))).isEqualTo("missing");
          assertThat(outcome(driver, new Request.Exists(keys.get(8), READ))).isEqualTo("exists");
          assertThat(outcome(driver, Request.create(keys.get(8), keys.get(8))))
              .isEqualTo("failed:REJECTED");
          assertThat(client.nodes(settings(), prefix)).contains(prefix + "0000/95");
          driver.close();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "zookeeper"})
  void an_ephemeral_key_ends_with_its_connection_or_before(String kind) {
    inGroups(
        kind,
        (client, prefix) -> {
          Connection reader = client.open(settings());
          Connection driver = client.open(settings());
          byte[] removed = key(prefix + "000001");
          byte[] left = key(prefix + "000002");
          written(driver, new Request.CreateEphemeral(removed, removed));
          written(driver, new Request.CreateEphemeral(left, left));
          written(reader, new Request.Delete(removed));
          assertThat(outcome(reader, new Request.Exists(removed, READ))).isEqualTo("missing");
          assertThat(outcome(reader, new Request.Exists(left, READ))).isEqualTo("exists");
          driver.close();
          StoreContract.await(
              "the end of the key",
              () -> outcome(reader, new Request.Exists(left, READ)).equals("missing"));
          reader.close();
        });
  }

  private interface Steps {
    void run(StoreClient client, String prefix);
  }

  private static void inGroups(String kind, Steps steps) {
    String prefix = "groups/" + new String(StoreContract.freshKey(), US_ASCII) + "/";
    try (StoreClient client = ZooKeeperStore.STORE.client(kind).start()) {
      client.group(2);
      client.enter(settings(), prefix);
      steps.run(client, prefix);
      client.leave(settings(), prefix);
      assertThat(client.nodes(settings(), prefix)).isEmpty();
    }
  }

  private static List<String> listed(Connection driver, String prefix) {
    var range = new Request.Range(key(prefix), 0, ReturnedValue.KEYS, READ);
    Answer answer = StoreContract.started(done -> driver.submit(range, done)).answer();
    return ((Answer.Entries) answer)
        .entries().stream().map(each -> new String(each.key(), US_ASCII)).toList();
  }

  private static void written(Connection driver, Request request) {
    assertThat(outcome(driver, request)).isEqualTo("written");
  }

  private static String outcome(Connection driver, Request request) {
    RecordedCompletion done = StoreContract.started(each -> driver.submit(request, each));
    return done.outcome();
  }

  private static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }

  private static DriverSettings settings() {
    var server = SharedCluster.of(ZooKeeperStore.STORE).members().get(0).endpoint();
    return new DriverSettings(server, LIMIT, LIMIT, Access.PLAIN);
  }
}
