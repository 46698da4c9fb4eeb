// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.UniqueValues;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of stores that keep their promises, and of stores that lie. */
class HistoryRequestsTest {
  private static final int REQUESTS = 400;
  private static final String YAML =
      """
      title: History
      mix: {put: 1, get: 1}
      requests: 400
      warm-up: 0
      cold-start: true
      keys: {size: 16, count: 5, distribution: uniform}
      values: {size: 16}
      load: {clients: 2}
      databases: [etcd]
      """;

  private static final String MIXED =
      YAML.replace(
              "mix: {put: 1, get: 1}",
              "mix: {put: 3, get: 4, delete: 2, txn: 2}\ntxn: {puts: 2, gets: 1, deletes: 1}")
          .replace("count: 5, distribution: uniform", "count: 7, distribution: random");

  private static final List<Endpoint> MEMBERS =
      List.of(new Endpoint("127.0.0.1", 2379), new Endpoint("127.0.0.1", 2380));

  @TempDir Path directory;

  private final List<RecordedRequest> requests = new ArrayList<>();

  /** A store in memory, which a test makes lie. */
  private static class Store implements Connection {
    final Map<String, byte[]> values = new HashMap<>();
    int puts;

    @Override
    public Optional<Endpoint> member() {
      return Optional.of(MEMBERS.get(1));
    }

    @Override
    public void submit(Request request, Completion completion) {
      if (request instanceof Request.Put put) {
        puts++;
        put(text(put.key()), put.value(), completion);
      } else if (request instanceof Request.Get get) {
        completion.answered(answer(get.key()));
      } else if (request instanceof Request.Delete delete) {
        delete(text(delete.key()));
        completion.answered(new Answer.Written(0));
      } else if (request instanceof Request.Txn txn) {
        txn(txn, completion);
      }
    }

    void delete(String key) {
      values.remove(key);
    }

    void txn(Request.Txn txn, Completion completion) {
      txn.puts().forEach(put -> values.put(text(put.key()), put.value()));
      txn.deletes().forEach(key -> values.remove(text(key)));
      completion.answered(Answer.Results.of(0, txn.gets().stream().map(this::answer).toList()));
    }

    final Answer answer(byte[] key) {
      byte[] value = read(text(key));
      return value == null ? new Answer.Missing() : new Answer.Found(value, 0);
    }

    static String text(byte[] key) {
      return new String(key, StandardCharsets.US_ASCII);
    }

    void put(String key, byte[] value, Completion completion) {
      values.put(key, value);
      completion.answered(new Answer.Written(0));
    }

    byte[] read(String key) {
      return values.get(key);
    }

    @Override
    public void close() {}
  }

  private UniqueValues.Result run(Store store) {
    UniqueValues.Result result = run(store, YAML);
    assertThat(requests).hasSize(REQUESTS + 5);
    return result;
  }

  private UniqueValues.Result run(Store store, String yaml) {
    Scenario scenario = ScenarioReader.read("h.yaml", yaml, 1);
    LoadShare share = LoadShare.of(Shard.WHOLE, scenario, scenario.databases().get(0));
    Workload workload = new Workload(share);
    for (int key = 0; key < workload.keyCount(); key++) {
      store.values.put(
          new String(workload.key(key), StandardCharsets.US_ASCII), workload.values().at(key));
    }
    Path path = directory.resolve("history.bin");
    long origin = System.nanoTime() - 1_000_000;
    try (HistoryFile file = HistoryFile.create(path)) {
      workload.recordIn(file, origin, MEMBERS);
      RequestSource source = workload.measured();
      for (long index = 0; index < REQUESTS; index++) {
        source.sending(index, origin + index);
        send(source, store, index);
      }
      workload.flushHistory();
    }
    HistoryFile.read(path, requests::add);
    return UniqueValues.check(requests);
  }

  private static void send(RequestSource source, Store store, long index) {
    source.send(
        store,
        index,
        new Completion() {
          @Override
          public void answered(Answer answer) {
            if (answer instanceof Answer.Missing) {
              source.failed(index, ErrorKind.MISSING);
              return;
            }
            ValueCheck check = source.check(index, answer);
            if (check == ValueCheck.INTACT) {
              source.acknowledged(index, System.nanoTime());
            } else {
              source.failed(index, ErrorKind.CORRUPT);
            }
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            source.failed(index, kind);
          }
        });
  }

  @Test
  void a_store_that_keeps_its_promises_has_no_contradictions() {
    assertThat(run(new Store()).lines()).isEmpty();
  }

  @Test
  void a_request_is_recorded_with_the_member_of_its_connection() {
    run(new Store());
    assertThat(requests.subList(5, REQUESTS + 5))
        .extracting(RecordedRequest::member)
        .containsOnly(2);
    assertThat(requests.subList(0, 5)).extracting(RecordedRequest::member).containsOnly(0);
  }

  @Test
  void a_request_is_recorded_with_its_scheduled_send_time() {
    run(new Store());
    assertThat(requests.subList(5, REQUESTS + 5))
        .extracting(RecordedRequest::dueNanos)
        .isEqualTo(LongStream.range(0, REQUESTS).boxed().toList());
  }

  @Test
  void writes_that_time_out_may_be_carried_out_or_not() {
    UniqueValues.Result result =
        run(
            new Store() {
              @Override
              void put(String key, byte[] value, Completion completion) {
                if (puts % 3 == 0) {
                  values.put(key, value);
                }
                if (puts % 3 == 2) {
                  super.put(key, value, completion);
                } else {
                  completion.failed(ErrorKind.TIMEOUT, "no answer");
                }
              }
            });
    assertThat(result.lines()).isEmpty();
  }

  @Test
  void a_store_that_drops_an_acknowledged_write_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              @Override
              void put(String key, byte[] value, Completion completion) {
                if (puts == 100) {
                  completion.answered(new Answer.Written(0));
                } else {
                  super.put(key, value, completion);
                }
              }
            });
    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.counts()).containsKey(Kind.LOST_WRITE);
    assertThat(result.witnesses().get(Kind.LOST_WRITE).text())
        .contains("acknowledged", "returned v");
  }

  @Test
  void a_store_that_returns_an_old_value_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              final Map<String, byte[]> first = new HashMap<>();
              int reads;

              @Override
              void put(String key, byte[] value, Completion completion) {
                first.putIfAbsent(key, value);
                super.put(key, value, completion);
              }

              @Override
              byte[] read(String key) {
                return ++reads > 150 && reads % 10 == 0
                    ? first.getOrDefault(key, values.get(key))
                    : super.read(key);
              }
            });
    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.lines()).isNotEmpty();
  }

  @Test
  void a_store_that_returns_a_foreign_value_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              int reads;

              @Override
              byte[] read(String key) {
                return ++reads == 50
                    ? "0123456789abcdef".getBytes(StandardCharsets.US_ASCII)
                    : super.read(key);
              }
            });
    assertThat(result.counts()).containsKey(Kind.PHANTOM_READ);
  }

  @Test
  void a_mix_with_deletes_and_transactions_is_recorded_part_by_part() {
    UniqueValues.Result result = run(new Store(), MIXED);

    assertThat(result.lines()).isEmpty();
    assertThat(result.undecidedKeys()).isEmpty();
    assertThat(result.transactions()).isBetween(40, 110);
    assertThat(requests).filteredOn(each -> each.txn() == 1).hasSize(4);
    assertThat(requests).filteredOn(each -> each.action() == Action.DELETE).hasSizeGreaterThan(100);
  }

  @Test
  void a_store_that_forgets_an_acknowledged_delete_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              @Override
              void delete(String key) {}
            },
            MIXED);

    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.lines()).anyMatch(line -> line.contains("that was deleted before"));
  }

  @Test
  void a_store_that_loses_a_part_of_a_transaction_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              @Override
              void txn(Request.Txn txn, Completion completion) {
                super.txn(
                    new Request.Txn(txn.puts().subList(0, 1), List.of(), txn.gets()), completion);
              }
            },
            MIXED);

    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.counts()).containsKey(Kind.LOST_WRITE);
  }

  @Test
  void a_transaction_that_times_out_may_be_carried_out_or_not_but_as_a_whole() {
    UniqueValues.Result whole =
        run(
            new Store() {
              private int number;

              @Override
              void txn(Request.Txn txn, Completion completion) {
                if (++number % 2 == 0) {
                  super.txn(txn, Completion.of(new CompletableFuture<>()));
                }
                completion.failed(ErrorKind.TIMEOUT, "no answer");
              }
            },
            MIXED);

    assertThat(whole.lines()).isEmpty();
  }

  @Test
  void a_store_whose_keys_disappear_is_caught() {
    UniqueValues.Result result =
        run(
            new Store() {
              @Override
              byte[] read(String key) {
                return puts % 20 == 0 ? null : super.read(key);
              }
            },
            MIXED);

    assertThat(result.isLinearizable()).isFalse();
  }
}
