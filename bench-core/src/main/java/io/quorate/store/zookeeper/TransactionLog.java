// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.TxnLogEntry;
import org.apache.zookeeper.server.persistence.FileHeader;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.util.SerializeUtils;
import org.apache.zookeeper.txn.CreateContainerTxn;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.CreateTTLTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.jspecify.annotations.Nullable;

/**
 * Reads transaction logs of ZooKeeper servers, {@code log.ZXID}, with ZooKeeper's classes. A file
 * is read as a stream, so that its size does not matter.
 */
public final class TransactionLog {
  private static final Pattern NAME = Pattern.compile("log\\.[0-9a-f]{1,16}");
  private static final String BELOW = "version-2";
  private static final byte END_OF_ENTRY = 'B';

  /** The bytes of the space that a server reserves. */
  private static final byte RESERVED = 0;

  private static final int HEXADECIMAL = 16;

  private TransactionLog() {}

  /** What a transaction does. */
  public enum Kind {
    CREATE,
    SET_DATA,
    DELETE,
    MULTI,
    OPEN_SESSION,
    CLOSE_SESSION,
    /** Nothing, because the request of a client was refused. */
    REFUSED,
    OTHER
  }

  /**
   * A change of one node.
   *
   * @param bytes length of the written data; 0 if there is none
   */
  public record Change(Kind kind, String path, int bytes) {
    public Change {
      Objects.requireNonNull(path);
    }
  }

  /**
   * An entry of the log.
   *
   * @param timeMillis time of the leader in milliseconds since 1970
   * @param session id of the session of the client
   * @param timeoutMillis timeout of an opened session; 0 for others
   * @param changes changed nodes; several for {@link Kind#MULTI}, none for sessions
   */
  public record Transaction(
      Kind kind, long timeMillis, long session, int timeoutMillis, List<Change> changes) {
    public Transaction {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Returns the log files of a path in their order: the file itself, or those of a directory.
   *
   * @throws QuorateException if there are none
   */
  public static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      if (!Files.isRegularFile(path)) {
        throw new QuorateException(
            shown(path) + ": found no such file, expected a transaction log, or its directory");
      }
      return List.of(path);
    }
    Path inner = path.resolve(BELOW);
    Path directory = Files.isDirectory(inner) ? inner : path;
    try (Stream<Path> all = Files.list(directory)) {
      List<Path> logs =
          all.filter(each -> NAME.matcher(each.getFileName().toString()).matches())
              .filter(Files::isRegularFile)
              .sorted(Comparator.comparing(TransactionLog::zxid, Long::compareUnsigned))
              .toList();
      if (logs.isEmpty()) {
        throw new QuorateException(
            shown(directory)
                + ": found no file log.*, expected the directory of a server's transaction logs"
                + " (dataLogDir or dataDir)");
      }
      return logs;
    } catch (IOException impossible) {
      throw FileFailure.unreadable(directory, impossible);
    }
  }

  private static Long zxid(Path file) {
    return Long.parseUnsignedLong(file.getFileName().toString().substring(4), HEXADECIMAL);
  }

  /**
   * Reads a file from its beginning to its end, or to the space that its server has reserved. Ends
   * before an incomplete entry, as a server does: it was being written, or was when its server
   * died.
   *
   * @param read receives the number of bytes that were read, after each transaction
   * @return position of an incomplete last entry; empty if there is none
   * @throws QuorateException if it is not a transaction log, or damaged; the message has the path
   *     and the position
   */
  public static OptionalLong read(Path file, Consumer<Transaction> to, LongConsumer read) {
    Position position = new Position();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      long size = Files.size(file);
      BinaryInputArchive archive = BinaryInputArchive.getArchive(position.of(in));
      readHeader(file, archive);
      while (position.bytes < size) {
        long start = position.bytes;
        Optional<byte[]> next;
        try {
          next = next(file, archive, start);
        } catch (EOFException incomplete) {
          return OptionalLong.of(start);
        }
        if (next.isEmpty()) {
          break;
        }
        to.accept(transaction(file, next.get(), start));
        read.accept(position.bytes);
      }
      return OptionalLong.empty();
    } catch (IOException impossible) {
      throw FileFailure.unreadable(file, impossible);
    }
  }

  private static void readHeader(Path file, BinaryInputArchive archive) throws IOException {
    FileHeader header = new FileHeader();
    try {
      header.deserialize(archive, "fileheader");
    } catch (EOFException cut) {
      throw wrong(file, 0, "a file that ends", "the header of a transaction log", cut);
    }
    if (header.getMagic() != FileTxnLog.TXNLOG_MAGIC || header.getVersion() != FileTxnLog.VERSION) {
      throw wrong(
          file, 0, "other bytes", "the header of a transaction log (ZKLG, version 2)", null);
    }
  }

  /**
   * Returns the next entry; empty at the reserved space.
   *
   * @throws EOFException if the entry is incomplete
   */
  private static Optional<byte[]> next(Path file, BinaryInputArchive archive, long start)
      throws EOFException {
    byte[] bytes;
    long checksum;
    try {
      checksum = archive.readLong("crcvalue");
      bytes = archive.readBuffer("txnEntry");
      if (bytes == null || bytes.length == 0) {
        return Optional.empty();
      }
      byte end = archive.readByte("EOF");
      if (end == RESERVED) {
        throw new EOFException();
      }
      if (end != END_OF_ENTRY) {
        throw wrong(file, start, "an entry without its end", "an undamaged log", null);
      }
    } catch (EOFException cut) {
      throw cut;
    } catch (IOException tooLong) {
      throw wrong(
          file,
          start,
          "an entry that is longer than jute.maxbuffer",
          "shorter ones; pass the jute.maxbuffer of its server in JAVA_TOOL_OPTIONS=-Djute.maxbuffer=BYTES",
          tooLong);
    }
    Adler32 found = new Adler32();
    found.update(bytes);
    if (found.getValue() != checksum) {
      throw wrong(file, start, "an entry with a wrong checksum", "an undamaged log", null);
    }
    return Optional.of(bytes);
  }

  private static Transaction transaction(Path file, byte[] entry, long start) {
    try {
      return transaction(SerializeUtils.deserializeTxn(entry));
    } catch (IOException | RuntimeException unknown) {
      throw wrong(file, start, "an unknown entry", "a log of ZooKeeper 3.5 to 3.9", unknown);
    }
  }

  private static QuorateException wrong(
      Path file, long position, String found, String expected, @Nullable Exception cause) {
    return new QuorateException(
        "%s: byte %d: found %s, expected %s".formatted(shown(file), position, found, expected),
        cause);
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString());
  }

  private static Transaction transaction(TxnLogEntry entry) throws IOException {
    long time = entry.getHeader().getTime();
    long session = entry.getHeader().getClientId();
    Record record = entry.getTxn();
    if (entry.getHeader().getType() == OpCode.multi) {
      List<Change> changes = new ArrayList<>();
      for (Txn part : ((MultiTxn) record).getTxns()) {
        changes.add(change(part));
      }
      boolean refused = changes.stream().anyMatch(each -> each.kind() == Kind.REFUSED);
      return new Transaction(refused ? Kind.REFUSED : Kind.MULTI, time, session, 0, changes);
    }
    Kind kind = kind(entry.getHeader().getType());
    int timeout = record instanceof CreateSessionTxn opened ? opened.getTimeOut() : 0;
    Optional<Change> change = record == null ? Optional.empty() : change(kind, record);
    return new Transaction(kind, time, session, timeout, change.map(List::of).orElse(List.of()));
  }

  private static Change change(Txn part) throws IOException {
    Optional<Record> record =
        switch (part.getType()) {
          case OpCode.create, OpCode.create2 -> Optional.of(new CreateTxn());
          case OpCode.createTTL -> Optional.of(new CreateTTLTxn());
          case OpCode.createContainer -> Optional.of(new CreateContainerTxn());
          case OpCode.delete, OpCode.deleteContainer -> Optional.of(new DeleteTxn());
          case OpCode.setData -> Optional.of(new SetDataTxn());
          default -> Optional.empty();
        };
    Kind kind = kind(part.getType());
    if (record.isEmpty()) {
      return new Change(kind, "", 0);
    }
    record
        .get()
        .deserialize(
            BinaryInputArchive.getArchive(new ByteArrayInputStream(part.getData())), "txn");
    return change(kind, record.get()).orElseThrow();
  }

  private static Optional<Change> change(Kind kind, Record record) {
    if (record instanceof CreateTxn create) {
      return Optional.of(new Change(kind, create.getPath(), length(create.getData())));
    }
    if (record instanceof CreateTTLTxn create) {
      return Optional.of(new Change(kind, create.getPath(), length(create.getData())));
    }
    if (record instanceof CreateContainerTxn create) {
      return Optional.of(new Change(kind, create.getPath(), length(create.getData())));
    }
    if (record instanceof SetDataTxn set) {
      return Optional.of(new Change(kind, set.getPath(), length(set.getData())));
    }
    return record instanceof DeleteTxn delete
        ? Optional.of(new Change(kind, delete.getPath(), 0))
        : Optional.empty();
  }

  private static int length(byte[] data) {
    return data == null ? 0 : data.length;
  }

  private static Kind kind(int type) {
    return switch (type) {
      case OpCode.create, OpCode.create2, OpCode.createTTL, OpCode.createContainer -> Kind.CREATE;
      case OpCode.setData -> Kind.SET_DATA;
      case OpCode.delete, OpCode.deleteContainer -> Kind.DELETE;
      case OpCode.multi -> Kind.MULTI;
      case OpCode.createSession -> Kind.OPEN_SESSION;
      case OpCode.closeSession -> Kind.CLOSE_SESSION;
      case OpCode.error -> Kind.REFUSED;
      default -> Kind.OTHER;
    };
  }

  /** Counts the bytes that are read from a stream. */
  private static final class Position {
    private long bytes;

    InputStream of(InputStream in) {
      return new FilterInputStream(in) {
        @Override
        public int read() throws IOException {
          int next = in.read();
          bytes += next < 0 ? 0 : 1;
          return next;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
          int count = in.read(target, from, length);
          bytes += Math.max(0, count);
          return count;
        }
      };
    }
  }
}
