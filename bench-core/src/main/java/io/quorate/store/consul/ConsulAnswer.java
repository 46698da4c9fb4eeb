// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.consul.ConsulEntries.Described;
import io.quorate.store.consul.ConsulEntries.NotBase64Exception;
import io.quorate.store.driver.OneLine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Interprets the answers of a Consul server. */
public final class ConsulAnswer {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int MAX_MESSAGE_CHARACTERS = 200;

  static final String NOT_BASE64 = "the value that was read is not Base64";

  private ConsulAnswer() {}

  static void end(ConsulRequest request, int status, byte[] body) {
    ConsulOperation operation = ConsulOperation.of(request);
    if (status == NOT_FOUND && operation.ofMissing().isPresent()) {
      answer(request, operation.ofMissing().get());
    } else if (status != OK) {
      String said = new String(body, UTF_8);
      request.fail(kind(status, said), message(status, said));
    } else {
      try {
        operation.success().end(request, body);
      } catch (NotBase64Exception altered) {
        request.fail(ErrorKind.CORRUPT, NOT_BASE64);
      } catch (IOException wrong) {
        request.fail(ErrorKind.OTHER, message(OK, new String(body, UTF_8)));
      }
    }
  }

  static void endGet(ConsulRequest request, List<Described> keys) {
    answer(request, keys.isEmpty() ? Answer.MISSING : keys.get(0).found());
  }

  static void endRange(ConsulRequest request, List<Described> keys) {
    List<Answer.Entry> entries = keys.stream().map(Described::entry).toList();
    answer(request, new Answer.Entries(entries.size(), entries));
  }

  static void endExists(ConsulRequest request, List<Described> names) {
    byte[] key = ((Request.Exists) request.asked()).key();
    boolean exists = names.stream().anyMatch(each -> Arrays.equals(each.entry().key(), key));
    answer(request, exists ? Answer.EXISTS : Answer.MISSING);
  }

  static void endTxn(ConsulRequest request, List<Described> written) throws IOException {
    Request.Txn txn = (Request.Txn) request.asked();
    int puts = txn.puts().size();
    if (written.size() != puts + txn.gets().size()) {
      throw new IOException("not all of the keys");
    }
    List<Answer> reads =
        written.subList(puts, written.size()).stream().<Answer>map(Described::found).toList();
    answer(request, Answer.Results.of(written.get(0).revision(), reads));
  }

  /** Ends a request that writes one key, with the trimmed answer. */
  static void endWrite(ConsulRequest request, String said) {
    switch (said) {
      case "true" -> answer(request, Answer.WRITTEN);
      case "false" -> {
        if (request.asked() instanceof Request.CompareAndSet) {
          answer(request, Answer.CONFLICT);
        } else {
          request.fail(ErrorKind.REJECTED, "the server answered false");
        }
      }
      default -> request.fail(ErrorKind.OTHER, message(OK, said));
    }
  }

  static void answer(ConsulRequest request, Answer answer) {
    request.pending().end(completion -> completion.answered(answer));
  }

  /**
   * Returns the kind of an error. Consul answers 500 to all errors, and 503 may come from a proxy.
   * The kind is NO_LEADER or REJECTED only if the text shows that nothing was done: a leader that
   * is lost while committing may have committed.
   */
  public static ErrorKind kind(int status, String said) {
    if (status == GATEWAY_TIMEOUT) {
      return ErrorKind.TIMEOUT;
    }
    if (status >= 400 && status < 500 && status != NOT_FOUND) {
      return ErrorKind.REJECTED;
    }
    String words = said.toLowerCase(Locale.ROOT);
    boolean unavailable = status == 500 || status == 503;
    if (unavailable && words.contains("no cluster leader")) {
      return ErrorKind.NO_LEADER;
    }
    boolean undone =
        words.contains("not the leader")
            || words.contains("rate limit")
            || words.contains("timed out enqueuing")
            || words.contains("permission denied");
    return unavailable && undone ? ErrorKind.REJECTED : ErrorKind.OTHER;
  }

  public static String message(int status, String said) {
    String line = OneLine.of(said).strip();
    String shown =
        line.substring(0, Math.min(line.length(), MAX_MESSAGE_CHARACTERS))
            .replaceAll("\\p{Cntrl}", " ");
    return shown.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + shown;
  }
}
