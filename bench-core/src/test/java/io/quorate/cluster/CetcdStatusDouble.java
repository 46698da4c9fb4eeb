// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import com.sun.net.httpserver.HttpServer;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Answers a cluster as cetcd does: 404 to every question about status and agent. */
final class CetcdStatusDouble {
  private CetcdStatusDouble() {}

  /** Listens where {@code -consuladdr} says until it is ended; its log has the arguments. */
  public static void main(String... arguments) throws IOException {
    System.out.println(Arrays.toString(arguments));
    if (!List.of(arguments[0], arguments[2]).equals(List.of("-consuladdr", "-etcd"))) {
      System.exit(2);
    }
    Endpoint endpoint = Endpoint.parse(arguments[1]);
    listen(new InetSocketAddress(endpoint.host(), endpoint.port()));
  }

  static HttpServer listen(InetSocketAddress address) throws IOException {
    HttpServer server = HttpServer.create(address, 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  /** An executable that is one; Java would begin its log with the options of this build. */
  static Path executable(Path file) {
    return Script.write(
        file,
        "unset JAVA_TOOL_OPTIONS; exec '%s' -Xmx32m -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                CetcdStatusDouble.class.getName()));
  }
}
