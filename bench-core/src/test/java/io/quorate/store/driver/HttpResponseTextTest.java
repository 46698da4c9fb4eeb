// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.SilentPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Tests what becomes of questions to servers that answer as no server should. */
class HttpResponseTextTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final Queue<String> questions = new ConcurrentLinkedQueue<>();

  /** Writes the answer of a server, which then closes the connection. */
  private interface Answer {
    void write(Socket socket) throws IOException;
  }

  private static Answer text(String answer) {
    return socket -> socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Answer endless(String begin, String more) {
    return socket -> {
      text(begin).write(socket);
      while (true) {
        text(more).write(socket);
      }
    };
  }

  /** Sends the beginning of an answer, and nothing more until the client hangs up. */
  private static Answer unfinished(String begin) {
    return socket -> {
      text(begin).write(socket);
      while (socket.getInputStream().read() >= 0) {
        continue;
      }
    };
  }

  private HttpResponseText ask(Answer answer, Duration limit) throws IOException {
    return ask(answer, limit, Map.of());
  }

  private HttpResponseText ask(Answer answer, Duration limit, Map<String, String> headers)
      throws IOException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> serve(server, answer), "hostile-server");
      thread.setDaemon(true);
      thread.start();
      Endpoint endpoint = new Endpoint("127.0.0.1", server.getLocalPort());
      return HttpResponseText.to("GET", endpoint, Access.PLAIN, "/health", "", headers, limit);
    }
  }

  private void serve(ServerSocket server, Answer answer) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        byte[] question = new byte[1_000];
        int bytes = socket.getInputStream().read(question);
        questions.add(new String(question, 0, Math.max(0, bytes), StandardCharsets.ISO_8859_1));
        answer.write(socket);
      } catch (IOException hungUp) {
        continue;
      }
    }
  }

  private void assertProblem(Answer answer, String problem) {
    assertThatThrownBy(() -> ask(answer, LIMIT))
        .isInstanceOf(IOException.class)
        .hasMessage(problem);
  }

  private void assertLate(Answer answer) {
    assertThatThrownBy(() -> ask(answer, SHORT))
        .isInstanceOf(IOException.class)
        .hasMessage("does not answer in time");
  }

  @Test
  void a_question_asks_for_nothing_but_the_answer() throws IOException {
    HttpResponseText answer = ask(text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"), LIMIT);

    assertThat(answer).isEqualTo(new HttpResponseText(200, "yes"));
    assertThat(questions).singleElement().asString().startsWith("GET /health HTTP/1.1\r\n");
    assertThat(questions.element().lines().map(line -> line.split(":")[0]))
        .containsExactlyInAnyOrder(
            "GET /health HTTP/1.1", "Content-Length", "Host", "User-Agent", "Accept", "");
    assertThat(Access.PLAIN.http().proxy().orElseThrow().select(URI.create("http://x:1")))
        .containsExactly(Proxy.NO_PROXY);
  }

  @Test
  void an_answer_may_be_of_HTTP_1_0_and_end_with_the_connection() throws IOException {
    assertThat(ask(text("HTTP/1.0 200 OK\r\n\r\nyes\n"), LIMIT))
        .isEqualTo(new HttpResponseText(200, "yes\n"));
  }

  @Test
  void other_states_than_200_are_answers_too() throws IOException {
    for (int status : new int[] {204, 301, 401, 404, 407, 500, 503}) {
      String head = "HTTP/1.1 " + status + " X\r\nLocation: http://127.0.0.1:1/\r\n";
      assertThat(ask(text(head + "Content-Length: 0\r\n\r\n"), LIMIT))
          .isEqualTo(new HttpResponseText(status, ""));
    }
    assertThat(questions).hasSize(7);
  }

  @Test
  void what_has_no_end_is_given_up() {
    String begin = "HTTP/1.1 200 OK\r\n";
    String much = "x".repeat(100_000);
    assertProblem(endless(begin + "\r\n", much), "answers with more than 4000000 bytes");
    assertProblem(
        endless(begin + "Content-Length: 5000000000\r\n\r\n", much),
        "answers with more than 4000000 bytes");
    assertProblem(
        endless(begin + "Transfer-Encoding: chunked\r\n\r\n", "186a0\r\n" + much + "\r\n"),
        "answers with more than 4000000 bytes");
    assertProblem(endless(begin, "a: " + much + "\r\n"), "does not answer like an HTTP server");
    assertProblem(endless("", much), "does not answer like an HTTP server");
  }

  @Test
  void what_takes_too_long_is_given_up_whatever_comes_meanwhile() {
    assertLate(endless("HTTP/1.1 200 OK\r\n\r\n", "x"));
    assertLate(unfinished("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\nx"));
    assertLate(unfinished("HTTP/1.1 200 OK\r\n"));
    assertLate(unfinished("HTTP/1.1 100 Continue\r\n\r\n"));
    assertLate(unfinished(""));
  }

  @Test
  void what_is_no_answer_of_HTTP_is_told_in_our_own_words() {
    assertProblem(text(""), "ends the connection without a complete answer");
    assertProblem(
        text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nyes"),
        "ends the connection without a complete answer");
    assertProblem(
        text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nyes"),
        "ends the connection without a complete answer");
    // the settings of gRPC, in whose frames there is no end of a line
    assertProblem(text("\0\0\6\4\0\0\0\0\0\0\5\0\0@\0"), "does not answer like an HTTP server");
    List<String> garbage =
        List.of(
            "\u0015\u0003\u0003\u0000\u0002\u0002P",
            "\u001b[2Jboom\r\n\r\n",
            "SSH-2.0-OpenSSH_9.2\r\n",
            "HTTP/1.1 2xx OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\nyes",
            "HTTP/1.1 200 OK\r\nContent-Length: \u001b[2J\r\n\r\nyes",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\u001b[2J\r\nyes\r\n");
    for (String each : garbage) {
      Throwable problem = catchThrowable(() -> ask(text(each), LIMIT));
      assertThat(problem).as(each).isInstanceOf(IOException.class);
      assertThat(problem.getMessage()).as(each).hasSizeLessThan(100).doesNotContain("\u001b");
    }
  }

  @Test
  void a_server_that_is_not_there_is_told() throws IOException {
    try (SilentPort silent = new SilentPort()) {
      assertThatThrownBy(() -> get(silent.endpoint()))
          .isInstanceOf(IOException.class)
          .hasMessage("Connection refused");
    }
    assertThatThrownBy(() -> get(new Endpoint("no-such-host.invalid", 1)))
        .isInstanceOf(IOException.class)
        .hasMessage("this host is not known");
    assertThatThrownBy(() -> get(new Endpoint("host.1st", 1)))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot be asked over HTTP: its name or our token is unfit for it");
  }

  private static HttpResponseText get(Endpoint endpoint) throws IOException {
    return HttpResponseText.get(endpoint, Access.PLAIN, "/health", LIMIT);
  }

  @Test
  void a_token_that_cannot_be_sent_is_not_told() {
    Throwable problem =
        catchThrowable(() -> ask(text(""), LIMIT, Map.of("X-Token", "hunter2\r\nX: y")));

    assertThat(problem).isInstanceOf(IOException.class).hasNoCause();
    assertThat(problem.toString()).doesNotContain("hunter2");
    assertThat(questions).isEmpty();
  }

  @Test
  void threads_of_the_client_keep_no_program_alive() throws IOException {
    ask(text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"), LIMIT);

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("HttpClient-"))
        .isNotEmpty()
        .allMatch(Thread::isDaemon);
  }
}
