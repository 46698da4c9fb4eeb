// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.history.Agreement;
import io.quorate.history.RecordedRequest;
import io.quorate.load.Load;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Reads the keys of a run from every member itself, without asking the others, after the load: all
 * members have to hold the same values then.
 *
 * @param mostKeys number of keys that are read at most; of more, each n-th one is
 */
public record MemberValues(Cluster cluster, StoreClient client, Load load, long mostKeys) {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Returns the number of a key of the load. */
  static long key(long index, long read, long all) {
    return index * all / read;
  }

  /** Returns the number of keys that are read from each member. */
  public int keys() {
    return (int) Math.min(mostKeys, load.keyCount());
  }

  /**
   * Reads the values, and returns a line for each key whose values differ.
   *
   * @throws QuorateException if a member does not answer
   */
  public List<String> differences() {
    Map<String, Map<Long, Long>> values = new LinkedHashMap<>();
    for (Member member : cluster.members()) {
      values.put(member.name(), read(member));
    }
    return Agreement.differences(values);
  }

  private Map<Long, Long> read(Member member) {
    Map<Long, Long> values = new LinkedHashMap<>();
    DriverSettings settings =
        new DriverSettings(member.endpoint(), TIMEOUT, TIMEOUT, cluster.access());
    try (Connection connection = client.open(settings)) {
      for (long index = 0; index < keys(); index++) {
        long key = key(index, keys(), load.keyCount());
        long number = read(connection, member, key);
        if (number != RecordedRequest.ABSENT) {
          values.put(key, number);
        }
      }
    }
    return values;
  }

  private long read(Connection connection, Member member, long key) {
    CompletableFuture<Answer> outcome = new CompletableFuture<>();
    connection.submit(
        new Request.Get(load.key(key), ReadConsistency.SERIALIZABLE), Completion.of(outcome));
    try {
      Answer answer = outcome.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
      return answer instanceof Answer.Found found
          ? load.valueId(found.value())
          : RecordedRequest.ABSENT;
    } catch (CompletionException failure) {
      throw new QuorateException(
          "%s does not return the value of a key: %s"
              .formatted(
                  member.name(),
                  String.valueOf(Objects.requireNonNull(failure.getCause()).getMessage())),
          failure);
    }
  }
}
