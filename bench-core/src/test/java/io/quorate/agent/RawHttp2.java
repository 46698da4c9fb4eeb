package io.quorate.agent;

import com.google.protobuf.MessageLite;
import io.quorate.store.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection of HTTP/2, without encryption, on which any frames may be sent. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int UNKNOWN = 77;

  static final int ACKNOWLEDGEMENT = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final DataOutputStream out;

  RawHttp2(Endpoint server) throws IOException {
    socket = new Socket(server.host(), server.port());
    out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream(), 1 << 14));
    out.write(PREFACE);
    frame(SETTINGS, 0, 0);
  }

  void frame(int type, int flags, int stream, byte... payload) throws IOException {
    out.writeByte(payload.length >> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  /** Begins a call of the agent's service. */
  void call(int stream) throws IOException {
    frame(HEADERS, END_HEADERS, stream, headers());
  }

  /** Sends a message of a call. */
  void message(int stream, MessageLite message) throws IOException {
    byte[] content = message.toByteArray();
    ByteBuffer framed = ByteBuffer.allocate(5 + content.length);
    framed.put((byte) 0).putInt(content.length).put(content);
    frame(DATA, 0, stream, framed.array());
  }

  /** Reads until the server ends the stream; returns how many bytes of data have come. */
  long dataBytesUntilEnd(int stream, Duration limit) throws IOException {
    socket.setSoTimeout((int) limit.toMillis());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    long data = 0;
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int on = in.readInt();
      in.readFully(new byte[length]);
      data += type == DATA && on == stream ? length : 0;
      if (on == stream && (type == HEADERS || type == DATA) && (flags & END_STREAM) != 0) {
        return data;
      }
    }
  }

  static byte[] headers() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    block.write(0x04); // :path
    text(block, "/quorate.agent.v1.Agent/Hold");
    block.write(0x01); // :authority
    text(block, "127.0.0.1");
    block.write(0x0f); // content-type
    block.write(0x10);
    text(block, "application/grpc");
    block.write(0x00);
    text(block, "te");
    text(block, "trailers");
    return block.toByteArray();
  }

  private static void text(ByteArrayOutputStream block, String text) {
    block.write(text.length());
    block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  void flush() throws IOException {
    out.flush();
  }

  /** Reads until the server closes the connection; false if it does not within that time. */
  boolean isClosedWithin(Duration limit) throws IOException {
    socket.setSoTimeout((int) limit.toMillis());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    try {
      while (in.read() >= 0) {
        continue;
      }
      return true;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
