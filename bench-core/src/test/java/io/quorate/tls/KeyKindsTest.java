// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.quorate.DaemonThreads;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connects to servers with certificates of all kinds of keys, as drivers with Netty do. */
class KeyKindsTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "secp256r1, secp256r1",
    "secp384r1, secp384r1",
    "secp521r1, secp521r1",
    "Ed25519, Ed25519",
    "Ed448, Ed448",
    "secp521r1, RSA",
    "RSA, Ed25519"
  })
  void a_server_and_a_client_with_any_kind_of_key_connect(String server, String client)
      throws Exception {
    KeyStore serverKeys = keys(server);
    KeyStore clientKeys = keys(client);
    try (SSLServerSocket socket = serve(serverKeys, clientKeys)) {
      ClientTls tls =
          ClientTls.load(
              new TlsFiles(
                  Files.writeString(directory.resolve("ca.crt"), certificate(serverKeys)),
                  Optional.of(
                      new TlsFiles.Identity(
                          Files.writeString(directory.resolve("me.crt"), certificate(clientKeys)),
                          PrivateFiles.write(
                              directory.resolve("me.key"),
                              CertificateAuthority.pem(clientKeys.getKey("key", PASSWORD))))),
                  true),
              Instant.now());

      SslProvider provider = tls.provider("localhost", socket.getLocalPort(), LIMIT);
      SslContext context = tls.netty().sslProvider(provider).build();

      assertTimeoutPreemptively(
          LIMIT, () -> assertThat(received(context, socket.getLocalPort())).isEqualTo((byte) 'q'));
    }
  }

  /** Returns a key of a kind with a certificate for this host, which is its own authority. */
  private static KeyStore keys(String kind) throws Exception {
    boolean curve = kind.startsWith("secp");
    KeyPairGenerator generator = KeyPairGenerator.getInstance(curve ? "EC" : kind);
    if (curve) {
      generator.initialize(new ECGenParameterSpec(kind));
    }
    KeyPair pair = generator.generateKeyPair();
    Instant now = Instant.now();
    X500Name name = new X500Name("CN=" + kind);
    var builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.ONE,
            Date.from(now.minusSeconds(60)),
            Date.from(now.plusSeconds(3600)),
            name,
            pair.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    GeneralName host = new GeneralName(GeneralName.dNSName, "localhost");
    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(host));
    String signature = curve ? "SHA256withECDSA" : kind.equals("RSA") ? "SHA256withRSA" : kind;
    var holder = builder.build(new JcaContentSignerBuilder(signature).build(pair.getPrivate()));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    var certificate = new JcaX509CertificateConverter().getCertificate(holder);
    store.setCertificateEntry("authority", certificate);
    store.setKeyEntry("key", pair.getPrivate(), PASSWORD, new Certificate[] {certificate});
    return store;
  }

  private static String certificate(KeyStore keys) throws Exception {
    return CertificateAuthority.pem(keys.getCertificate("authority"));
  }

  /** Starts a server that requires a certificate, and then sends one byte. */
  private static SSLServerSocket serve(KeyStore keys, KeyStore clients) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(clients);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 9, InetAddress.getByName("localhost"));
    socket.setNeedClientAuth(true);
    DaemonThreads.start("tls-server", () -> serve(socket));
    return socket;
  }

  private static void serve(SSLServerSocket socket) {
    while (!socket.isClosed()) {
      try (SSLSocket client = (SSLSocket) socket.accept()) {
        client.getOutputStream().write('q');
        client.getInputStream().read();
      } catch (IOException refused) {
        // the client reports it
      }
    }
  }

  private static byte received(SslContext context, int port) throws Exception {
    CompletableFuture<Byte> received = new CompletableFuture<>();
    var loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      new Bootstrap()
          .group(loops)
          .channel(NioSocketChannel.class)
          .handler(
              new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel made) {
                  made.pipeline()
                      .addLast(
                          context.newHandler(made.alloc(), "localhost", port), reader(received));
                }
              })
          .connect("localhost", port)
          .sync();
      return received.get();
    } finally {
      loops.shutdownGracefully();
    }
  }

  private static SimpleChannelInboundHandler<ByteBuf> reader(CompletableFuture<Byte> received) {
    return new SimpleChannelInboundHandler<>() {
      @Override
      protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
        received.complete(bytes.readByte());
        ctx.close();
      }

      @Override
      public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        received.completeExceptionally(cause);
        ctx.close();
      }
    };
  }
}
