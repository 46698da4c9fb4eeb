// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.store.zookeeper.TransactionLog.Change;
import io.quorate.store.zookeeper.TransactionLog.Kind;
import io.quorate.store.zookeeper.TransactionLog.Transaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Adler32;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileHeader;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.ErrorTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.SetDataTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionLogTest {
  private static final int HEADER = 16;

  @TempDir private Path directory;

  @Test
  void each_kind_of_transaction_is_read() throws IOException {
    Record set = new SetDataTxn("/b", new byte[30], 2);
    byte[] log =
        log(
            entry(OpCode.createSession, 1000, new CreateSessionTxn(30_000)),
            entry(OpCode.create, 1001, create("/a", new byte[7])),
            entry(OpCode.create, 1002, create("/none", null)),
            entry(OpCode.setData, 1003, set),
            entry(
                OpCode.multi, 1004, multi(OpCode.setData, set, OpCode.delete, new DeleteTxn("/a"))),
            entry(OpCode.multi, 1005, multi(OpCode.error, new ErrorTxn(-110))),
            entry(OpCode.delete, 1006, new DeleteTxn("/a")),
            entry(OpCode.error, 1007, new ErrorTxn(-101)));
    assertThat(read(write(log, 100)))
        .containsExactly(
            new Transaction(Kind.OPEN_SESSION, 1000, 5, 30_000, List.of()),
            new Transaction(Kind.CREATE, 1001, 5, 0, List.of(new Change(Kind.CREATE, "/a", 7))),
            new Transaction(Kind.CREATE, 1002, 5, 0, List.of(new Change(Kind.CREATE, "/none", 0))),
            new Transaction(
                Kind.SET_DATA, 1003, 5, 0, List.of(new Change(Kind.SET_DATA, "/b", 30))),
            new Transaction(
                Kind.MULTI,
                1004,
                5,
                0,
                List.of(new Change(Kind.SET_DATA, "/b", 30), new Change(Kind.DELETE, "/a", 0))),
            new Transaction(Kind.REFUSED, 1005, 5, 0, List.of(new Change(Kind.REFUSED, "", 0))),
            new Transaction(Kind.DELETE, 1006, 5, 0, List.of(new Change(Kind.DELETE, "/a", 0))),
            new Transaction(Kind.REFUSED, 1007, 5, 0, List.of()));
  }

  @Test
  void a_log_may_have_reserved_space_or_none_at_its_end() throws IOException {
    byte[] log = log(entry(OpCode.delete, 1, new DeleteTxn("/a")));
    assertThat(read(write(log, 0))).hasSize(1);
    assertThat(read(write(log, 16))).hasSize(1);
    assertThat(read(write(log, 65_536))).hasSize(1);
    assertThat(read(write(log(), 0))).isEmpty();
  }

  /** Every cut is an end, or refused if the header is incomplete. */
  @Test
  void a_log_ends_before_an_incomplete_entry() throws IOException {
    byte[] first = entry(OpCode.delete, 1, new DeleteTxn("/a"));
    byte[] log = log(first, entry(OpCode.setData, 2, new SetDataTxn("/b", new byte[100], 1)));
    for (int length = 0; length < log.length; length++) {
      Path file = write(Arrays.copyOf(log, length), 0);
      int start = length < HEADER + first.length ? HEADER : HEADER + first.length;
      if (length < HEADER) {
        assertThatThrownBy(() -> read(file))
            .isInstanceOf(QuorateException.class)
            .hasMessage(
                file
                    + ": byte 0: found a file that ends, expected the header of a transaction log");
      } else if (length == HEADER || length == HEADER + first.length) {
        assertThat(read(file)).hasSize(length == HEADER ? 0 : 1);
      } else {
        assertThat(read(file)).hasSize(start == HEADER ? 0 : 1);
        assertThat(TransactionLog.read(file, any -> {}, any -> {})).hasValue(start);
      }
    }
  }

  @Test
  void changed_bytes_are_noticed() throws IOException {
    byte[] log = log(entry(OpCode.setData, 2, new SetDataTxn("/b", new byte[100], 1)));
    for (int place = 0; place < log.length; place++) {
      byte[] changed = log.clone();
      changed[place] ^= 0x55;
      Path file = write(changed, 0);
      if (place >= HEADER + 8 && place < HEADER + 12 && isCut(file)) {
        continue; // a greater length looks like an entry that is being written
      }
      if (place < 8 || place >= HEADER) { // the id of the database is not checked
        assertThatThrownBy(() -> read(file))
            .as("byte " + place)
            .isInstanceOf(QuorateException.class)
            .hasMessageStartingWith(file + ": byte " + (place < 8 ? 0 : HEADER) + ": found ");
      }
    }
  }

  private static boolean isCut(Path file) {
    try {
      return TransactionLog.read(file, any -> {}, any -> {}).isPresent();
    } catch (QuorateException refused) {
      return false;
    }
  }

  @Test
  void an_unknown_transaction_with_a_right_checksum_is_refused() throws IOException {
    for (byte[] entry :
        List.of(
            entry(4711, 1, new DeleteTxn("/a")), entry(OpCode.delete, 1, new DeleteTxn(null)))) {
      Path file = write(log(entry), 0);
      assertThatThrownBy(() -> read(file))
          .hasMessage(
              file + ": byte 16: found an unknown entry, expected a log of ZooKeeper 3.5 to 3.9");
    }
  }

  @Test
  void the_logs_of_a_directory_come_in_the_order_of_their_transactions() throws IOException {
    Path data = Files.createDirectories(directory.resolve("data/version-2"));
    for (String name : List.of("log.a0", "log.9", "log.100000000", "snapshot.5", "log.x")) {
      Files.createFile(data.resolve(name));
    }
    assertThat(TransactionLog.files(directory.resolve("data")))
        .isEqualTo(TransactionLog.files(data))
        .extracting(each -> each.getFileName().toString())
        .containsExactly("log.9", "log.a0", "log.100000000");
    assertThatThrownBy(() -> TransactionLog.files(directory))
        .hasMessageStartingWith(directory + ": found no file log.*");
    assertThatThrownBy(() -> TransactionLog.files(directory.resolve("none")))
        .hasMessageContaining("found no such file");
  }

  private Path write(byte[] log, int reserved) throws IOException {
    return Files.write(directory.resolve("log.1"), Arrays.copyOf(log, log.length + reserved));
  }

  private static List<Transaction> read(Path file) {
    List<Transaction> all = new ArrayList<>();
    TransactionLog.read(file, all::add, bytes -> {});
    return all;
  }

  private static CreateTxn create(String path, byte[] data) {
    return new CreateTxn(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, false, 1);
  }

  private static MultiTxn multi(Object... typesAndTxns) throws IOException {
    List<Txn> parts = new ArrayList<>();
    for (int i = 0; i < typesAndTxns.length; i += 2) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ((Record) typesAndTxns[i + 1]).serialize(BinaryOutputArchive.getArchive(bytes), "txn");
      parts.add(new Txn((int) typesAndTxns[i], bytes.toByteArray()));
    }
    return new MultiTxn(parts);
  }

  private static byte[] log(byte[]... entries) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    new FileHeader(FileTxnLog.TXNLOG_MAGIC, FileTxnLog.VERSION, 1)
        .serialize(BinaryOutputArchive.getArchive(log), "fileheader");
    for (byte[] entry : entries) {
      log.write(entry);
    }
    return log.toByteArray();
  }

  private static byte[] entry(int type, long time, Record record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryOutputArchive archive = BinaryOutputArchive.getArchive(bytes);
    new TxnHeader(5, 1, time, time, type).serialize(archive, "hdr");
    record.serialize(archive, "txn");
    Adler32 checksum = new Adler32();
    checksum.update(bytes.toByteArray());
    ByteArrayOutputStream entry = new ByteArrayOutputStream();
    BinaryOutputArchive out = BinaryOutputArchive.getArchive(entry);
    out.writeLong(checksum.getValue(), "crcvalue");
    out.writeBuffer(bytes.toByteArray(), "txnEntry");
    out.writeByte((byte) 'B', "EOF");
    return entry.toByteArray();
  }
}
