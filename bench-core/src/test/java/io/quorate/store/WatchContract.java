// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.store.WatchSupport.Delivery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Holds every client to the watches that its store has, and to refusing the others. A test of a
 * watch that a store does not have returns at once.
 */
public abstract class WatchContract extends StoreContract {
  public WatchContract(Store database) {
    super(database);
  }

  /** Returns whether the store may tell of a change before the answer that sets the watch. */
  protected boolean losesWatches() {
    return false;
  }

  /** For an older version of a store that watches prefixes, which does not. */
  protected boolean watchesPrefixes() {
    return true;
  }

  @Test
  void a_watcher_of_a_key_is_told_of_each_change_that_comes_after_the_last_one_was_told() {
    if (database.watches().ofKey() == Delivery.NONE) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    write(writer, Request.create(key, utf8("before")));
    RecordedWatch watcher = watching(stream(endpoint()), Watch.ofKey(key));

    for (String value : List.of("one", "two", "three")) {
      write(writer, Request.update(key, utf8(value)));
      await(value, () -> watcher.values().contains(value));
    }
    assertThat(watcher.values()).containsExactly("one", "two", "three");
    assertThat(watcher.keys()).containsOnly(new String(key, StandardCharsets.UTF_8));
    assertThat(watcher.revisions()).isSorted().doesNotHaveDuplicates();
    assertThat(watcher.revisions().get(2)).isEqualTo(revisionRead(writer, key));
    assertThat(watcher.timesStarted()).isEqualTo(1);
  }

  @Test
  void of_quick_changes_a_watcher_of_a_key_is_told_all_or_at_last_the_latest() {
    if (database.watches().ofKey() == Delivery.NONE) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    write(writer, Request.create(key, utf8("before")));
    RecordedWatch watcher = watching(stream(endpoint()), Watch.ofKey(key));

    List<RecordedCompletion> writes =
        IntStream.range(0, 200)
            .mapToObj(i -> started(done -> writer.submit(Request.update(key, utf8("v" + i)), done)))
            .toList();
    assertThat(writes).allMatch(each -> each.outcome().equals("written"));
    long last = revisionRead(writer, key);

    if (!losesWatches()) {
      await("the last one", () -> watcher.revisions().contains(last));
    }
    assertThat(watcher.revisions()).isSorted().doesNotHaveDuplicates();
    if (database.watches().ofKey() == Delivery.EVERY_CHANGE) {
      assertThat(watcher.values()).hasSize(200).doesNotHaveDuplicates();
    }
  }

  @Test
  void a_watcher_of_a_prefix_is_told_of_every_key_with_it_once_and_of_no_other() {
    if (database.watches().ofPrefix() == Delivery.NONE || !watchesPrefixes()) {
      return;
    }
    Connection writer = open();
    String prefix = new String(freshKey(), StandardCharsets.UTF_8);
    RecordedWatch watcher = watching(stream(endpoint()), Watch.ofPrefix(utf8(prefix)));
    RecordedWatch all = watching(stream(endpoint()), Watch.ofPrefix(new byte[0]));

    List<String> keys = IntStream.range(0, 100).mapToObj(i -> prefix + i).toList();
    for (String key : keys) {
      write(writer, Request.create(utf8(key), utf8("of " + key)));
      write(writer, Request.create(freshKey(), utf8("other")));
    }
    await(
        "all keys",
        () ->
            watcher.keys().size() >= 100
                && all.keys().size() >= 200
                && all.keys().containsAll(keys));
    assertThat(watcher.keys()).containsExactlyElementsOf(keys);
    assertThat(watcher.revisions()).isSorted();
    if (database.watches().ofPrefix() == Delivery.EVERY_CHANGE) {
      assertThat(watcher.values())
          .containsExactlyElementsOf(keys.stream().map(key -> "of " + key).toList());
    }
  }

  @Test
  void many_watchers_of_one_stream_are_each_told_of_the_change() {
    if (database.watches().ofKey() == Delivery.NONE) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    write(writer, Request.create(key, utf8("before")));
    Subscriptions stream = stream(endpoint());
    List<RecordedWatch> watchers =
        IntStream.range(0, 50).mapToObj(i -> watching(stream, Watch.ofKey(key))).toList();

    write(writer, Request.update(key, utf8("after")));
    await(
        "all watchers",
        () -> watchers.stream().allMatch(each -> each.values().equals(List.of("after"))));
  }

  @Test
  void a_closed_stream_tells_nothing_more_and_closing_again_does_nothing() {
    if (database.watches().ofKey() == Delivery.NONE) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    write(writer, Request.create(key, utf8("before")));
    Subscriptions closing = stream(endpoint());
    RecordedWatch closed = watching(closing, Watch.ofKey(key));
    RecordedWatch other = watching(stream(endpoint()), Watch.ofKey(key));
    closing.close();
    closing.close();

    await("the end of the stream", () -> isSilent(writer, key, closed, other));
  }

  @Test
  void a_watch_that_is_ended_tells_nothing_more_and_others_of_its_stream_go_on() {
    if (database.watches().ofKey() == Delivery.NONE) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    write(writer, Request.create(key, utf8("before")));
    Subscriptions stream = stream(endpoint());
    RecordedWatch ended = watching(stream, Watch.ofKey(key));
    RecordedWatch other = watching(stream, Watch.ofKey(key));
    stream.unwatch(ended);
    stream.unwatch(ended);

    await("the end of the watch", () -> isSilent(writer, key, ended, other));
    RecordedWatch again = watching(stream, Watch.ofKey(key));
    write(writer, Request.update(key, utf8("again")));
    await("the next watch", () -> again.values().contains("again"));
  }

  @Test
  void a_restarted_watch_loses_no_change_and_reports_none_twice() {
    if (!database.watches().details()) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    Subscriptions alone = stream(endpoint());
    Subscriptions shared = stream(endpoint());
    Watch watch = Watch.ofPrefix(key).reporting(true, true, 0);
    RecordedWatch first = watching(alone, watch);
    List<RecordedWatch> others = List.of(watching(shared, watch), watching(shared, watch));
    List<String> written = new ArrayList<>();
    List<RecordedCompletion> writes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String value = "v" + i;
      written.add(value);
      writes.add(started(done -> writer.submit(Request.update(key, utf8(value)), done)));
      if (i % 10 == 0) {
        alone.restart(first);
        others.forEach(shared::restart);
        writes.get(i / 2).outcome();
      }
    }
    assertThat(writes).allMatch(each -> each.outcome().equals("written"));
    write(writer, Request.update(key, utf8("last")));
    written.add("last");
    for (RecordedWatch each : List.of(first, others.get(0), others.get(1))) {
      await("the last change", () -> each.values().contains("last"));
      assertThat(each.values()).containsExactlyInAnyOrderElementsOf(written);
      assertThat(each.revisions()).isSorted();
      assertThat(each.timesStarted()).isEqualTo(1);
      assertThat(each.timesInterrupted()).isZero();
    }
  }

  @Test
  void requested_progress_is_a_revision_up_to_which_all_changes_were_reported() {
    if (!database.watches().details()) {
      return;
    }
    Connection writer = open();
    byte[] key = freshKey();
    Subscriptions stream = stream(endpoint());
    RecordedWatch watcher = watching(stream, Watch.ofKey(key));
    RecordedWatch other = watching(stream, Watch.ofKey(freshKey()));
    write(writer, Request.update(key, utf8("one")));
    long revision = revisionRead(writer, key);
    for (RecordedWatch each : List.of(watcher, other)) {
      await(
          "progress",
          () -> {
            stream.requestProgress(); // a server does not answer while a watch is behind
            return each.progress().stream().anyMatch(reached -> reached >= revision);
          });
    }
    assertThat(watcher.values()).containsExactly("one");
    assertThat(other.values()).isEmpty();
  }

  /** Returns whether a change that the other watcher is told of does not come to the closed one. */
  private static boolean isSilent(
      Connection writer, byte[] key, RecordedWatch closed, RecordedWatch other) {
    int before = closed.values().size();
    int told = other.values().size();
    write(writer, Request.update(key, utf8("after " + told)));
    await("the other watcher", () -> other.values().size() > told);
    return closed.values().size() == before;
  }

  @Test
  void what_cannot_be_watched_is_refused_with_the_reason() {
    if (database.watches().ofKey() == Delivery.NONE) {
      assertThat(database.watches().reason()).isNotBlank();
    } else if (database.watches().ofPrefix() == Delivery.NONE) {
      Subscriptions stream = stream(endpoint());
      assertThatThrownBy(() -> stream.watch(Watch.ofPrefix(utf8("k")), new RecordedWatch()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("cannot watch this: " + database.watches().reason());
    }
  }

  static RecordedWatch watching(Subscriptions stream, Watch watch) {
    RecordedWatch watcher = new RecordedWatch();
    stream.watch(watch, watcher);
    await("the watch", () -> watcher.timesStarted() > 0);
    return watcher;
  }

  static void write(Connection writer, Request request) {
    assertThat(ended(done -> writer.submit(request, done))).isEqualTo("written");
  }

  static long revisionRead(Connection reader, byte[] key) {
    RecordedCompletion read =
        started(done -> reader.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done));
    assertThat(read.outcome()).startsWith("found");
    return ((Answer.Found) read.answer()).revision();
  }
}
