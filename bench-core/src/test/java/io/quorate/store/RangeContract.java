// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Capabilities.RangeReads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Holds every driver to the ranges that its store can read. A test of a range that a store cannot
 * read returns at once: its refusal has a separate test.
 */
public abstract class RangeContract extends WatchContract {
  public RangeContract(Store database) {
    super(database);
  }

  @Test
  void a_range_returns_the_keys_of_a_prefix_in_order_with_their_values() {
    if (!database.capabilities().range().isByPrefix()) {
      return;
    }
    Connection driver = open();
    String prefix = createdNeighbours(driver);

    for (ReadConsistency consistency : ReadConsistency.values()) {
      Answer.Entries all = range(driver, prefix, 0, false, consistency);
      assertThat(all.count()).isEqualTo(25);
      assertThat(all.entries()).map(entry -> text(entry.key())).isEqualTo(keys(prefix, 25));
      assertThat(all.entries())
          .map(entry -> text(entry.value()))
          .isEqualTo(IntStream.range(100, 125).mapToObj(number -> "v" + number).toList());
    }
    Answer.Entries none = range(driver, prefix + "x", 0, false, ReadConsistency.LINEARIZABLE);
    assertThat(none.count()).isZero();
    assertThat(none.entries()).isEmpty();
  }

  @Test
  void a_range_returns_no_more_than_its_limit_and_counts_all() {
    if (!database.capabilities().range().isLimited()) {
      return;
    }
    Connection driver = open();
    String prefix = createdNeighbours(driver);

    Answer.Entries three = range(driver, prefix, 3, false, ReadConsistency.LINEARIZABLE);
    assertThat(three.count()).isEqualTo(25);
    assertThat(three.entries()).map(entry -> text(entry.key())).isEqualTo(keys(prefix, 3));
    Answer.Entries counted = range(driver, prefix, 0, true, ReadConsistency.LINEARIZABLE);
    assertThat(counted.count()).isEqualTo(25);
    assertThat(counted.entries()).isEmpty();
  }

  @Test
  void a_range_of_keys_only_returns_no_values() {
    if (database.capabilities().range() == RangeReads.NONE) {
      return;
    }
    Connection driver = open();
    String prefix = createdNeighbours(driver);

    for (ReadConsistency consistency : ReadConsistency.values()) {
      var request = new Request.Range(utf8(prefix), 0, ReturnedValue.KEYS, consistency);
      Answer.Entries all = (Answer.Entries) answer(driver, request);
      assertThat(all.count()).isEqualTo(25);
      assertThat(all.entries()).map(entry -> text(entry.key())).isEqualTo(keys(prefix, 25));
      assertThat(all.entries()).allMatch(entry -> entry.value().length == 0);
    }
    var none =
        new Request.Range(utf8(prefix + "x"), 0, ReturnedValue.KEYS, ReadConsistency.DEFAULT);
    assertThat(((Answer.Entries) answer(driver, none)).entries()).isEmpty();
  }

  @Test
  void a_range_goes_on_behind_a_key_in_the_state_of_the_pages_before() {
    if (!database.capabilities().range().isLimited()) {
      return;
    }
    Connection driver = open();
    String prefix = createdNeighbours(driver);
    var first =
        new Request.Range(utf8(prefix), 10, ReturnedValue.ENTRIES, ReadConsistency.LINEARIZABLE);

    Answer.Entries page = (Answer.Entries) answer(driver, first);
    outcome(driver, Request.update(utf8(prefix + 124), utf8("later")));
    byte[] last = page.entries().get(9).key();
    long revision = Math.max(0, page.revision());
    Answer.Entries second = (Answer.Entries) answer(driver, first.behind(last, revision));
    Answer.Entries third =
        (Answer.Entries) answer(driver, first.behind(utf8(prefix + 119), revision));

    assertThat(text(last)).isEqualTo(prefix + 109);
    assertThat(second.count()).isEqualTo(15);
    assertThat(second.entries())
        .map(entry -> text(entry.key()))
        .isEqualTo(keys(prefix, 20).subList(10, 20));
    assertThat(third.entries()).hasSize(5);
    assertThat(text(third.entries().get(4).value()))
        .isEqualTo(revision > 0 ? "v124" : "later"); // without a history there is the latest only
  }

  /** Returns whether the client can have ranges in chunks. */
  protected boolean streamsRanges() {
    return database.capabilities().range() == RangeReads.STREAMED;
  }

  @Test
  void the_chunks_of_a_streamed_range_are_together_what_one_message_is() {
    if (!streamsRanges()) {
      return;
    }
    Connection driver = open();
    String prefix = text(freshKey());
    List<RecordedCompletion> creations =
        IntStream.range(1_000, 2_000)
            .mapToObj(
                number -> {
                  Request create =
                      Request.create(
                          utf8(prefix + number), (number + "-").repeat(600).getBytes(UTF_8));
                  return started(done -> driver.submit(create, done));
                })
            .toList();
    assertThat(creations).allMatch(each -> each.outcome().equals("written"));
    var whole =
        new Request.Range(utf8(prefix), 0, ReturnedValue.ENTRIES, ReadConsistency.LINEARIZABLE);
    Answer.Entries atOnce = (Answer.Entries) answer(driver, whole);
    assertThat(atOnce.count()).isEqualTo(1_000);
    assertThat(atOnce.entries()).map(each -> text(each.key())).first().isEqualTo(prefix + 1_000);
    outcome(driver, Request.update(utf8(prefix + 1_000), utf8("later")));

    for (Request.Range each :
        List.of(
            whole,
            whole.behind(new byte[0], atOnce.revision()),
            whole.behind(utf8(prefix + 1_099), 0),
            new Request.Range(utf8(prefix), 700, ReturnedValue.ENTRIES, ReadConsistency.DEFAULT),
            new Request.Range(utf8(prefix), 0, ReturnedValue.KEYS, ReadConsistency.SERIALIZABLE),
            new Request.Range(utf8(prefix), 0, ReturnedValue.COUNT, ReadConsistency.LINEARIZABLE),
            new Request.Range(
                utf8(prefix + "x"), 0, ReturnedValue.KEYS, ReadConsistency.DEFAULT))) {
      Answer.Entries streamed = (Answer.Entries) answer(driver, each.inChunks(true));
      Answer.Entries unary = (Answer.Entries) answer(driver, each);
      assertThat(streamed.count()).isEqualTo(unary.count());
      assertThat(streamed.revision()).isEqualTo(unary.revision());
      assertThat(texts(streamed)).isEqualTo(texts(unary));
    }
    assertThat(texts((Answer.Entries) answer(driver, whole.inChunks(true))).get(0))
        .isEqualTo(prefix + "1000=later");
  }

  private static List<String> texts(Answer.Entries all) {
    return all.entries().stream().map(each -> text(each.key()) + "=" + text(each.value())).toList();
  }

  @Test
  void a_range_sees_what_was_created_and_removed_since_the_last_one() {
    if (!database.capabilities().range().isByPrefix()) {
      return;
    }
    Connection driver = open();
    String prefix = createdNeighbours(driver);
    range(driver, prefix, 0, false, ReadConsistency.LINEARIZABLE);

    outcome(driver, new Request.Delete(utf8(prefix + 100)));
    outcome(driver, new Request.Delete(utf8(prefix + 101)));
    outcome(driver, Request.create(utf8(prefix + 101), utf8("again")));
    outcome(driver, Request.create(utf8(prefix + 99), utf8("new")));

    Answer.Entries now = range(driver, prefix, 0, false, ReadConsistency.LINEARIZABLE);
    assertThat(now.count()).isEqualTo(25);
    assertThat(text(now.entries().get(0).key())).isEqualTo(prefix + 101);
    assertThat(text(now.entries().get(0).value())).isEqualTo("again");
    assertThat(text(now.entries().get(24).key())).isEqualTo(prefix + 99);
  }

  /** Creates 25 keys, in no order, and some that have not their prefix; returns the prefix. */
  private static String createdNeighbours(Connection driver) {
    String prefix = text(freshKey());
    List<String> created = new ArrayList<>(keys(prefix, 25));
    created.add(prefix.substring(0, prefix.length() - 1));
    created.add(prefix.substring(0, prefix.length() - 1) + "~");
    Collections.shuffle(created, new Random(5));
    for (String key : created) {
      String value = "v" + key.substring(Math.min(prefix.length(), key.length()));
      assertThat(outcome(driver, Request.create(utf8(key), utf8(value)))).isEqualTo("written");
    }
    return prefix;
  }

  private static List<String> keys(String prefix, int count) {
    return IntStream.range(100, 100 + count).mapToObj(number -> prefix + number).toList();
  }

  static String outcome(Connection driver, Request request) {
    return ended(done -> driver.submit(request, done));
  }

  static Answer answer(Connection driver, Request request) {
    return started(done -> driver.submit(request, done)).answer();
  }

  private static Answer.Entries range(
      Connection driver, String prefix, long limit, boolean count, ReadConsistency consistency) {
    ReturnedValue returned = count ? ReturnedValue.COUNT : ReturnedValue.ENTRIES;
    var request = new Request.Range(utf8(prefix), limit, returned, consistency);
    return (Answer.Entries) answer(driver, request);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
