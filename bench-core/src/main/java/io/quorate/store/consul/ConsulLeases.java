// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.driver.LeaseSessions;
import io.quorate.store.driver.OneLine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * The sessions of Consul at one member. A session has no lock delay, and its keys are removed with
 * it. A lock is a key of a session; its fencing token is the {@code ModifyIndex}. Completions run
 * on threads of the HTTP client.
 */
final class ConsulLeases implements LeaseSessions.Leases {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /** Largest answer: the places of a queue with 100,000 clients. */
  private static final int MAX_BYTES = 64_000_000;

  /** Longest requested wait of a blocking query. */
  private static final Duration WAIT = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final DriverSettings settings;

  ConsulLeases(DriverSettings settings) {
    this.settings = settings;
  }

  /** Interprets the body of a successful answer. */
  private interface Meaning {
    Answer of(byte[] body) throws IOException;
  }

  @Override
  public void grant(Duration ttl, Completion completion) {
    put(
        "session/create",
        ConsulOperation.session(ttl.toSeconds()),
        settings.requestTimeout(),
        body -> new Answer.Granted(ConsulEntries.ofSession(body)),
        completion);
  }

  @Override
  public void keepAlive(String lease, Duration timeout, Completion completion) {
    put("session/renew/" + lease, "", timeout, body -> Answer.RENEWED, completion);
  }

  @Override
  public void acquire(String lease, byte[] key, Completion completion) {
    txn(
        List.of(
            verb("check-not-exists", key, Map.of()),
            verb(
                "lock",
                key,
                Map.of(
                    "Session",
                    lease,
                    "Value",
                    Base64.getEncoder().encodeToString(lease.getBytes(UTF_8))))),
        body -> new Answer.Written(JSON.readTree(body).at("/Results/0/KV/ModifyIndex").asLong()),
        Answer.CONFLICT,
        completion);
  }

  @Override
  public void release(String lease, byte[] key, Completion completion) {
    txn(
        List.of(
            verb("check-session", key, Map.of("Session", lease)), verb("delete", key, Map.of())),
        body -> Answer.WRITTEN,
        Answer.MISSING,
        completion);
  }

  @Override
  public void enqueue(String lease, byte[] place, Completion completion) {
    txn(
        List.of(verb("lock", place, Map.of("Session", lease))),
        body ->
            new Answer.Place(place, JSON.readTree(body).at("/Results/0/KV/CreateIndex").asLong()),
        Answer.CONFLICT,
        completion);
  }

  @Override
  public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
    get(
        ConsulOperation.escaped(lock) + "/?recurse&consistent",
        settings.requestTimeout(),
        answer -> {
          boolean none = answer.statusCode() == NOT_FOUND;
          long index = index(answer);
          before(place, none ? List.of() : ConsulEntries.ofRead(answer.body()), index, completion);
        },
        completion);
  }

  /** Finds the place before another one; a place is written once, so its revision is its age. */
  private static void before(
      Answer.Place place, List<ConsulEntries.Described> all, long index, Completion completion) {
    if (all.stream().noneMatch(each -> each.revision() == place.revision())) {
      completion.failed(ErrorKind.REJECTED, "the place in the queue does not exist any more");
      return;
    }
    all.stream()
        .filter(each -> each.revision() < place.revision())
        .max(Comparator.comparingLong(ConsulEntries.Described::revision))
        .ifPresentOrElse(
            each -> completion.answered(new Answer.Place(each.key().getBytes(ISO_8859_1), index)),
            () -> completion.answered(Answer.MISSING));
  }

  @Override
  public Runnable awaitRemoval(Answer.Place place, Completion completion) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    awaitRemoval(place, end, completion);
    return () -> end.complete(null);
  }

  /** Sends one blocking query after the other. */
  private void awaitRemoval(
      Answer.Place place, CompletableFuture<Void> end, Completion completion) {
    Future<?> query =
        get(
            "%s?index=%d&wait=%ds"
                .formatted(
                    ConsulOperation.escaped(place.key()),
                    Math.max(1, place.revision()),
                    WAIT.toSeconds()),
            WAIT.plus(WAIT),
            answer -> {
              long index = index(answer);
              if (answer.statusCode() == NOT_FOUND) {
                completion.answered(Answer.MISSING);
              } else {
                awaitRemoval(new Answer.Place(place.key(), index), end, completion);
              }
            },
            completion);
    end.whenComplete((any, none) -> query.cancel(true));
  }

  @Override
  public void leave(Answer.Place place, Completion completion) {
    send(
        request("kv/" + ConsulOperation.escaped(place.key()), settings.requestTimeout()).DELETE(),
        (answer) -> completion.answered(Answer.WRITTEN),
        completion);
  }

  @Override
  public void revoke(String lease, Completion completion) {
    put(
        "session/destroy/" + lease,
        "",
        settings.requestTimeout(),
        body -> Answer.WRITTEN,
        completion);
  }

  private static Map<String, Object> verb(String verb, byte[] key, Map<String, String> others) {
    Map<String, String> fields = new LinkedHashMap<>(others);
    fields.put("Verb", verb);
    fields.put("Key", new String(key, ISO_8859_1));
    return Map.of("KV", fields);
  }

  private void txn(
      List<Map<String, Object>> verbs, Meaning meaning, Answer unmet, Completion completion) {
    put(
        "txn",
        JSON.valueToTree(verbs).toString(),
        settings.requestTimeout(),
        meaning,
        Completion.of(
            completion::answered,
            (kind, message) -> {
              boolean refused = message.startsWith("HTTP " + CONFLICT + ":");
              if (refused && !message.contains("invalid session")) {
                completion.answered(unmet);
              } else {
                completion.failed(kind, message);
              }
            }));
  }

  private Future<?> get(String key, Duration timeout, Answered answered, Completion completion) {
    return send(request("kv/" + key, timeout).GET(), answered, completion);
  }

  private static long index(HttpResponse<byte[]> answer) throws IOException {
    try {
      return answer.headers().firstValueAsLong("X-Consul-Index").orElse(1);
    } catch (NumberFormatException wrong) {
      throw new IOException("not what Consul answers", wrong);
    }
  }

  private void put(
      String path, String body, Duration timeout, Meaning meaning, Completion completion) {
    send(
        request(path, timeout)
            .PUT(
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body)),
        answer ->
            completion.answered(
                answer.statusCode() == NOT_FOUND ? Answer.MISSING : meaning.of(answer.body())),
        completion);
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    settings.access().scheme() + "://" + settings.endpoint() + "/v1/" + path))
            .timeout(timeout);
    ConsulRequest.headers(settings.access()).forEach(request::header);
    return request;
  }

  /** Receives an answer of the status 200 or 404. */
  private interface Answered {
    void with(HttpResponse<byte[]> answer) throws IOException;
  }

  private Future<?> send(HttpRequest.Builder request, Answered answered, Completion completion) {
    var sent =
        settings
            .access()
            .http()
            .sendAsync(request.build(), any -> HttpResponseText.limitedBody(MAX_BYTES));
    sent.whenComplete((answer, failure) -> end(answer, failure, answered, completion));
    return sent; // not what follows it, as only this one can be cancelled
  }

  private static void end(
      HttpResponse<byte[]> answer, Throwable failure, Answered answered, Completion completion) {
    if (failure != null) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      completion.failed(
          cause instanceof HttpTimeoutException ? ErrorKind.TIMEOUT : ErrorKind.CONNECTION,
          OneLine.of(cause));
    } else if (answer.statusCode() != OK && answer.statusCode() != NOT_FOUND) {
      String said = new String(answer.body(), UTF_8);
      completion.failed(
          ConsulAnswer.kind(answer.statusCode(), said),
          ConsulAnswer.message(answer.statusCode(), said));
    } else {
      try {
        answered.with(answer);
      } catch (IOException wrong) {
        completion.failed(ErrorKind.OTHER, OneLine.of(wrong));
      }
    }
  }

  /** Ends nothing: the HTTP client is shared by all that use this access. */
  @Override
  public void close() {}
}
