package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Request;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

/** Tests that handshakes do not disturb a session, and that others still get one. */
class AgentHandshakesIT extends SecuredAgent {
  private static final int HALF_OPEN = 150;
  private static final int THREADS = 3;
  private static final int HANDSHAKES = 5;

  @Test
  void handshakes_without_a_key_do_not_disturb_a_session() throws Exception {
    List<Socket> halfOpen = new ArrayList<>();
    try (RawClient session = holding()) {
      for (int i = 0; i < HALF_OPEN; i++) {
        Socket socket = new Socket(HOST, agent.address().port());
        halfOpen.add(socket);
        socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      }
      SSLContext tls = trustful();
      CompletableFuture.allOf(
              IntStream.range(0, THREADS)
                  .mapToObj(any -> CompletableFuture.runAsync(() -> shakeHands(tls)))
                  .toArray(CompletableFuture[]::new))
          .join();
      session.send(Request.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(7)));
      assertThat(session.next().getPulse().getNumber()).isEqualTo(7);
      try (RawClient other = trusted()) {
        other.send(Request.newBuilder().setHello(RawClient.hello()));
        assertThat(other.problem()).contains("for the run run-1 holds the agent since ");
      }
    } finally {
      for (Socket each : halfOpen) {
        each.close();
      }
    }
  }

  private void shakeHands(SSLContext tls) {
    for (int i = 0; i < HANDSHAKES; i++) {
      try (SSLSocket socket =
          (SSLSocket) tls.getSocketFactory().createSocket(HOST, agent.address().port())) {
        socket.setSoTimeout((int) SOON.toMillis());
        socket.startHandshake();
        assertThat(socket.getInputStream().read()).isNegative();
      } catch (IOException refused) {
        assertThat(refused).isNotInstanceOf(java.net.SocketTimeoutException.class);
      }
    }
  }

  /** Believes every agent, and has no key. */
  private static SSLContext trustful() throws Exception {
    X509TrustManager everybody =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {everybody}, new SecureRandom());
    return tls;
  }
}
