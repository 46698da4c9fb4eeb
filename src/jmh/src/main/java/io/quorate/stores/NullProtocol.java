// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;

/** The part of a store's protocol that a benchmark's writes need; named as in {@link Store}. */
enum NullProtocol {
  /** gRPC over HTTP/2 (RFC 9113, RFC 7541): the same {@code PutResponse} for each message. */
  ETCD(Http2::new),
  /** Length-prefixed records: a connect answer, then the path for each create. */
  ZOOKEEPER(ZooKeeperRecords::new),
  /** HTTP/1.1: {@code true} for each PUT, and a leader for the greeting. */
  CONSUL(Http::new);

  private final Begin begin;

  NullProtocol(Begin begin) {
    this.begin = begin;
  }

  Conversation begin(DataInputStream in, DataOutputStream out) throws IOException {
    return begin.on(in, out);
  }

  /** Reads and writes the handshake before the first request. */
  @FunctionalInterface
  interface Begin {
    Conversation on(DataInputStream in, DataOutputStream out) throws IOException;
  }

  /** One connection. */
  @FunctionalInterface
  interface Conversation {
    /**
     * Reads the next message of the driver, and answers it if it needs an answer.
     *
     * @throws EOFException if the driver has closed the connection
     */
    void answerNext() throws IOException;
  }

  /** Frames of HTTP/2; the end of a stream is the end of a call. */
  private static final class Http2 implements Conversation {
    private static final int PREFACE_BYTES = 24;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int WIDE = 1 << 30;

    /** An uncompressed message of 4 bytes: a header with revision 1. */
    private static final byte[] MESSAGE = {0, 0, 0, 0, 4, 10, 2, 24, 1};

    private static final byte[] HEADER = header();
    private static final byte[] TRAILER = literal(new ByteArrayOutputStream(), "grpc-status", "0");

    private final DataInputStream in;
    private final DataOutputStream out;
    private int received;

    Http2(DataInputStream in, DataOutputStream out) throws IOException {
      this.in = in;
      this.out = out;
      in.readNBytes(PREFACE_BYTES);
      frame(6, SETTINGS, 0, 0);
      out.writeShort(INITIAL_WINDOW_SIZE);
      out.writeInt(WIDE);
      widen(WIDE);
    }

    private static byte[] header() {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      block.write(0x88); // :status 200, in the static table
      return literal(block, "content-type", "application/grpc");
    }

    /** Returns a header without indexing and Huffman coding. */
    private static byte[] literal(ByteArrayOutputStream block, String name, String value) {
      block.write(0);
      block.write(name.length());
      block.writeBytes(name.getBytes(US_ASCII));
      block.write(value.length());
      block.writeBytes(value.getBytes(US_ASCII));
      return block.toByteArray();
    }

    @Override
    public void answerNext() throws IOException {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      if (type == PING && (flags & ACK) == 0) {
        frame(length, PING, ACK, 0);
        out.write(in.readNBytes(length));
        return;
      }
      in.skipNBytes(length);
      if (type == SETTINGS && (flags & ACK) == 0) {
        frame(0, SETTINGS, ACK, 0);
      } else if (type == DATA) {
        received += length;
        if ((flags & END_STREAM) != 0) {
          answer(stream);
        }
      }
    }

    private void answer(int stream) throws IOException {
      if (received > WIDE / 2) {
        widen(received);
        received = 0;
      }
      frame(HEADER.length, HEADERS, END_HEADERS, stream);
      out.write(HEADER);
      frame(MESSAGE.length, DATA, 0, stream);
      out.write(MESSAGE);
      frame(TRAILER.length, HEADERS, END_HEADERS | END_STREAM, stream);
      out.write(TRAILER);
    }

    private void widen(int bytes) throws IOException {
      frame(Integer.BYTES, WINDOW_UPDATE, 0, 0);
      out.writeInt(bytes);
    }

    private void frame(int length, int type, int flags, int stream) throws IOException {
      out.writeByte(length >>> 16);
      out.writeShort(length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
    }
  }

  /** Records of ZooKeeper's Jute. */
  private static final class ZooKeeperRecords implements Conversation {
    private static final int PING = 11;
    private static final int CLOSE = -11;
    private static final int PASSWORD_BYTES = 16;
    private static final byte[] NO_PATH = {};

    private final DataInputStream in;
    private final DataOutputStream out;
    private long transaction;

    ZooKeeperRecords(DataInputStream in, DataOutputStream out) throws IOException {
      this.in = in;
      this.out = out;
      int length = in.readInt();
      in.skipNBytes(Integer.BYTES + Long.BYTES);
      int sessionTimeout = in.readInt();
      in.skipNBytes(length - 2L * Integer.BYTES - Long.BYTES);
      out.writeInt(3 * Integer.BYTES + Long.BYTES + PASSWORD_BYTES + 1);
      out.writeInt(0); // version of the protocol
      out.writeInt(sessionTimeout);
      out.writeLong(1); // session
      out.writeInt(PASSWORD_BYTES);
      out.write(new byte[PASSWORD_BYTES]);
      out.writeBoolean(false); // not read-only
      out.flush();
    }

    @Override
    public void answerNext() throws IOException {
      int length = in.readInt();
      int request = in.readInt();
      int operation = in.readInt();
      boolean isCreate = operation != PING && operation != CLOSE;
      byte[] path = isCreate ? in.readNBytes(in.readInt()) : NO_PATH;
      int pathBytes = isCreate ? Integer.BYTES + path.length : 0;
      in.skipNBytes(length - 2L * Integer.BYTES - pathBytes);
      out.writeInt(2 * Integer.BYTES + Long.BYTES + pathBytes);
      out.writeInt(request);
      out.writeLong(++transaction);
      out.writeInt(0); // no error
      if (isCreate) {
        out.writeInt(path.length);
        out.write(path);
      }
    }
  }

  /** Requests with a Content-Length, or without a body. */
  private static final class Http implements Conversation {
    private static final String LENGTH = "content-length:";
    private static final byte[] WRITTEN = answer("true");
    private static final byte[] LEADER = answer("\"127.0.0.1:8300\"");

    private final DataInputStream in;
    private final DataOutputStream out;
    private final StringBuilder line = new StringBuilder();

    Http(DataInputStream in, DataOutputStream out) {
      this.in = in;
      this.out = out;
    }

    private static byte[] answer(String json) {
      return ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
              + json.length()
              + "\r\n\r\n"
              + json)
          .getBytes(US_ASCII);
    }

    @Override
    public void answerNext() throws IOException {
      boolean isWrite = line().startsWith("PUT");
      long length = 0;
      for (String header = line(); !header.isEmpty(); header = line()) {
        if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
          length = Long.parseLong(header.substring(LENGTH.length()).strip());
        }
      }
      in.skipNBytes(length);
      out.write(isWrite ? WRITTEN : LEADER);
    }

    private String line() throws IOException {
      line.setLength(0);
      for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }
  }
}
