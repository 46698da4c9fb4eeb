// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.zookeeper.TransactionLog.Change;
import io.quorate.store.zookeeper.TransactionLog.Kind;
import io.quorate.store.zookeeper.TransactionLog.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZooKeeperProfileTest {
  private final ZooKeeperProfile profile = new ZooKeeperProfile(Instant.MIN, Instant.MAX);

  private static Transaction set(long millis, String path, int bytes) {
    return new Transaction(
        Kind.SET_DATA, millis, millis / 10 % 4, 0, List.of(new Change(Kind.SET_DATA, path, bytes)));
  }

  private static Scenario read(String text) {
    return ScenarioReader.read("mine.yaml", text, 1);
  }

  @Test
  void changes_become_puts_at_their_rate_with_their_sizes() {
    profile.accept(new Transaction(Kind.OPEN_SESSION, 0, 1, 30_000, List.of()));
    for (int i = 0; i < 2000; i++) {
      profile.accept(set(i * 10, "/secret/node-" + i % 500, i % 4 == 0 ? 1000 : 200));
    }
    String text = profile.profile(OptionalLong.of(300)).scenario();
    Scenario scenario = read(text);
    LoadModel.Open load = (LoadModel.Open) scenario.databases().get(0).steps().get(0).model();

    assertThat(scenario.requests().mix().toString()).isEqualTo("25% put, 75% get");
    assertThat(load.ratePerSecond()).isEqualTo(400);
    assertThat(scenario.requests().values()).hasToString("200 (75%), 1KB (25%)");
    assertThat(scenario.requests().keys().count()).isEqualTo(500);
    assertThat(scenario.requests().keys().prepared()).isTrue();
    assertThat(scenario.requests().keys().order()).isEqualTo(KeySpace.Order.UNIFORM);
    assertThat(scenario.databases().get(0).steps().get(0).connections()).isEqualTo(4);
    assertThat(text)
        .contains("Sessions: 1 opened", "mean timeout 30,000 ms", "the most in one second were 100")
        .doesNotContain("secret", "node-");
  }

  @Test
  void a_log_without_reads_says_so() {
    profile.accept(set(0, "/a", 10));
    profile.accept(set(1000, "/a", 10));
    String text = profile.profile(OptionalLong.empty()).scenario();
    assertThat(read(text).requests().mix().isOnly(Operation.PUT)).isTrue();
    assertThat(text).contains("A transaction log has no reads. Add them with --reads");
  }

  @Test
  void multis_become_transactions_and_deletes_are_left_out() {
    for (int i = 0; i < 1000; i++) {
      Change part = new Change(Kind.SET_DATA, "/n" + i % 100, 50);
      Change other = new Change(Kind.CREATE, "/m" + i, 50);
      profile.accept(new Transaction(Kind.MULTI, i * 10, 1, 0, List.of(part, other, part)));
      profile.accept(
          new Transaction(Kind.DELETE, i * 10, 1, 0, List.of(new Change(Kind.DELETE, "/x", 0))));
    }
    String text = profile.profile(OptionalLong.empty()).scenario();
    Scenario scenario = read(text);
    assertThat(scenario.requests().mix().isOnly(Operation.TXN)).isTrue();
    assertThat(scenario.requests().mix().putsPerTxn()).isEqualTo(3);
    assertThat(text).contains("Left out: 100/s deletes");
  }

  @Test
  void keys_that_are_changed_more_often_are_a_hot_set() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      int key = i % 10 < 8 ? random.nextInt(100) : 100 + random.nextInt(400);
      profile.accept(set(i, "/" + key, 10));
    }
    Scenario scenario = read(profile.profile(OptionalLong.empty()).scenario());
    assertThat(scenario.requests().keys().order()).isEqualTo(KeySpace.Order.HOTSPOT);
    assertThat(scenario.requests().keys().hotSet().keysPercent()).isEqualTo(20);
    assertThat(scenario.requests().keys().hotSet().requestsPercent()).isBetween(70, 90);
  }

  @Test
  void other_times_are_left_out() {
    ZooKeeperProfile middle =
        new ZooKeeperProfile(Instant.ofEpochMilli(1000), Instant.ofEpochMilli(3000));
    for (int i = 0; i < 5000; i += 10) {
      middle.accept(set(i, "/a", i < 1000 || i >= 3000 ? 999 : 10));
    }
    Scenario scenario = read(middle.profile(OptionalLong.empty()).scenario());
    assertThat(scenario.requests().values()).hasToString("10 bytes");
  }

  @Test
  void too_few_writes_are_refused() {
    assertThatThrownBy(() -> profile.profile(OptionalLong.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("found no writes, expected creates or changes of nodes");
    profile.accept(set(5, "/a", 1));
    assertThatThrownBy(() -> profile.profile(OptionalLong.empty()))
        .hasMessageStartingWith("found writes at one time only");
    profile.accept(set(60_005, "/a", 1));
    assertThatThrownBy(() -> profile.profile(OptionalLong.empty()).scenario())
        .hasMessageStartingWith("found 2 requests in 120s, expected at least one in a second");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1_764_000_000_000", // a clock that was set later
    "-9_223_372_036_854_775_808, 9_223_372_036_854_775_807",
    "1_764_000_000_000, 9_223_372_036_854_775_807",
  })
  void times_that_are_far_apart_are_refused(String first, String last) {
    profile.accept(set(Long.parseLong(first.replace("_", "")), "/a", 1));
    profile.accept(set(Long.parseLong(last.replace("_", "")), "/a", 1));
    assertThatThrownBy(() -> profile.profile(OptionalLong.of(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessageMatching(
            "found transactions from \\S+ to \\S+, expected at most 10 years: was a clock wrong\\?"
                + " Choose some with --from and --until\\.");
  }
}
