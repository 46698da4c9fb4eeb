package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import io.quorate.store.OneLine;
import io.quorate.store.consul.ConsulRequest.Kind;
import java.io.IOException;
import java.util.Base64;
import java.util.Locale;

/** Interprets the answers of a Consul server. */
public final class ConsulAnswer {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int MOST_MESSAGE_CHARACTERS = 200;
  private static final JsonFactory JSON = new JsonFactory();

  /** The message of an error of kind CORRUPT. */
  static final String NOT_BASE64 = "the value that was read is not Base64";

  private ConsulAnswer() {}

  /** Ends a request with its answer. */
  static void end(ConsulRequest request, int status, byte[] body) {
    if (status == NOT_FOUND && request.kind() == Kind.GET) {
      request.pending().end(completion -> completion.answered(Answer.MISSING));
    } else if (status != OK) {
      String said = new String(body, UTF_8);
      request.fail(kind(status, said), message(status, said));
    } else {
      switch (request.kind()) {
        case PUT, DELETE -> endWrite(request, new String(body, UTF_8).strip());
        case GET -> endRead(request, body);
        case LEADER -> endLeader(request, new String(body, UTF_8).strip().replace("\"", ""));
      }
    }
  }

  private static void endWrite(ConsulRequest request, String said) {
    switch (said) {
      case "true" -> request.pending().end(completion -> completion.answered(Answer.WRITTEN));
      case "false" -> request.fail(ErrorKind.REJECTED, "the server answered false");
      default -> request.fail(ErrorKind.OTHER, message(OK, said));
    }
  }

  private static void endLeader(ConsulRequest request, String address) {
    request
        .pending()
        .end(
            completion ->
                completion.answered(new Answer.Found(address.getBytes(UTF_8), Answer.NO_REVISION)));
  }

  private static void endRead(ConsulRequest request, byte[] body) {
    byte[] value;
    try {
      value = value(body);
    } catch (NotBase64Exception altered) {
      request.fail(ErrorKind.CORRUPT, NOT_BASE64);
      return;
    } catch (IOException wrong) {
      request.fail(ErrorKind.OTHER, message(OK, new String(body, UTF_8)));
      return;
    }
    request
        .pending()
        .end(
            completion -> {
              if (value == null) {
                completion.answered(Answer.MISSING);
              } else {
                completion.answered(new Answer.Found(value, Answer.NO_REVISION));
              }
            });
  }

  /**
   * Returns the value of the first entry of a list, which is the only one; null if the list is
   * empty.
   */
  private static byte[] value(byte[] json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new IOException("not a list");
      }
      if (parser.nextToken() == JsonToken.END_ARRAY) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isValue = parser.currentName().equals("Value");
        JsonToken token = parser.nextToken();
        if (isValue) {
          return token == JsonToken.VALUE_NULL ? new byte[0] : decoded(parser.getText());
        }
        parser.skipChildren();
      }
      throw new IOException("no value");
    }
  }

  private static byte[] decoded(String text) throws NotBase64Exception {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      throw new NotBase64Exception();
    }
  }

  /** Thrown when the answer is well-formed, but the value in it is not. */
  private static final class NotBase64Exception extends IOException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Returns the kind of an error: Consul says 500 to whatever went wrong, and 503 may come from a
   * machine in between. Only where its words show that nothing was done is it REJECTED: a leader
   * that is lost while committing may have committed.
   */
  public static ErrorKind kind(int status, String said) {
    if (status == GATEWAY_TIMEOUT) {
      return ErrorKind.TIMEOUT;
    }
    if (status >= 400 && status < 500 && status != NOT_FOUND) {
      return ErrorKind.REJECTED;
    }
    String words = said.toLowerCase(Locale.ROOT);
    boolean undone =
        words.contains("no cluster leader")
            || words.contains("not the leader")
            || words.contains("rate limit")
            || words.contains("timed out enqueuing")
            || words.contains("permission denied");
    return (status == 500 || status == 503) && undone ? ErrorKind.REJECTED : ErrorKind.OTHER;
  }

  public static String message(int status, String said) {
    String line = OneLine.of(said).strip();
    String shown =
        line.substring(0, Math.min(line.length(), MOST_MESSAGE_CHARACTERS))
            .replaceAll("\\p{Cntrl}", " ");
    return shown.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + shown;
  }
}
