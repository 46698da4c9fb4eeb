// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.DiskSpace;
import io.quorate.FileAction;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * The file of a history, {@code history.bin}: a header of 16 bytes, then 72 bytes for each request,
 * in big-endian order. The requests of one recorder are in the order of their recording; those of
 * several recorders are mixed.
 *
 * <p>A header is the text {@code QUORHIST}, the version and the size of a record (both int). A
 * record is the components of {@link RecordedRequest} in their order, with a byte for a constant,
 * and the lower 16 bits of the CRC-32 of them. The number of the member is the upper byte of that
 * of the transaction; it is 0 in files of older versions.
 *
 * <p>Thread safety: any thread may call {@link #recorder}. A recorder belongs to one thread, which
 * buffers 1,024 requests and appends them in one write, while others wait for the file. So a
 * recorder that belongs to an event loop blocks it for one write of 72 KiB to the page cache.
 */
public final class HistoryFile implements AutoCloseable {
  private static final int NAME_BYTES = 8;
  private static final byte[] HEADER =
      "QUORHIST\0\0\0\2\0\0\0\110".getBytes(StandardCharsets.US_ASCII);
  private static final int RECORD_BYTES = 72;
  private static final int CHECKED_BYTES = RECORD_BYTES - Short.BYTES;
  private static final int MEMBER_SHIFT = Long.SIZE - Byte.SIZE;
  private static final int BLOCK_RECORDS = 1_024;
  private static final Action[] ACTIONS = Action.values();
  private static final Outcome[] OUTCOMES = Outcome.values();

  private final Path path;
  private final FileChannel channel;

  /** The first failure; empty if all was written. */
  private Optional<QuorateException> failure = Optional.empty();

  /** The requests of one thread. Not thread-safe. */
  public final class Recorder {
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_RECORDS * RECORD_BYTES);

    private Recorder() {}

    /** Records a request that has ended. Never fails: this is called where answers arrive. */
    public void add(RecordedRequest request) {
      int start = block.position();
      block
          .putInt(request.client())
          .put((byte) request.action().ordinal())
          .putLong(request.key())
          .putLong(request.written())
          .putLong(request.read())
          .putLong(request.expected())
          .putLong(request.dueNanos())
          .putLong(request.invokedNanos())
          .putLong(request.completedNanos())
          .put((byte) request.outcome().ordinal())
          .putLong((long) request.member() << MEMBER_SHIFT | request.txn());
      block.putShort(checksum(block.duplicate().flip().position(start)));
      if (!block.hasRemaining()) {
        flush();
      }
    }

    /** Appends the buffered requests to the file. */
    public void flush() {
      append(block.flip());
      block.clear();
    }
  }

  private HistoryFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Creates a file with a header.
   *
   * @throws QuorateException if it exists or cannot be written
   */
  public static HistoryFile create(Path path) {
    try {
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
      HistoryFile file = new HistoryFile(path, channel);
      file.append(ByteBuffer.wrap(HEADER));
      file.requireWritten();
      return file;
    } catch (IOException impossible) {
      throw DiskSpace.exception(path, impossible);
    }
  }

  /** Returns a recorder for one thread, which flushes it before the file is closed. */
  public Recorder recorder() {
    return new Recorder();
  }

  /** After a failed write nothing is appended: a partial block would shift all that follows. */
  private synchronized void append(ByteBuffer bytes) {
    try {
      while (failure.isEmpty() && bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException impossible) {
      failure = Optional.of(DiskSpace.exception(path, impossible));
    }
  }

  /**
   * Checks that all was written.
   *
   * @throws QuorateException if it was not
   */
  public synchronized void requireWritten() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException impossible) {
      throw DiskSpace.exception(path, impossible);
    }
  }

  /** Returns whether there is no file, or none with a whole request. */
  public static boolean isEmpty(Path path) {
    return FileAction.read(
        path, () -> !Files.exists(path) || Files.size(path) < HEADER.length + RECORD_BYTES);
  }

  /**
   * Reads the requests of a file one by one.
   *
   * @return bytes of an incomplete last request, which was left out: 0 to 71; the process was
   *     killed while it wrote them
   * @throws QuorateException with path and offset, if it is not a history of this version or a
   *     record is damaged
   */
  public static int read(Path path, Consumer<RecordedRequest> requests) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw damaged(path, 0, "expected a file");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      checkHeader(path, in.readNBytes(HEADER.length));
      byte[] record = new byte[RECORD_BYTES];
      long offset = HEADER.length;
      int length;
      while ((length = in.readNBytes(record, 0, RECORD_BYTES)) == RECORD_BYTES) {
        requests.accept(request(path, offset, record));
        offset += RECORD_BYTES;
      }
      return length;
    } catch (IOException impossible) {
      throw FileFailure.unreadable(path, impossible);
    }
  }

  private static void checkHeader(Path path, byte[] header) {
    int offset = Arrays.mismatch(header, HEADER);
    if (offset >= 0) {
      String what = offset < NAME_BYTES ? "found no history" : "found another version of a history";
      throw damaged(path, offset, what);
    }
  }

  private static RecordedRequest request(Path path, long offset, byte[] record) {
    ByteBuffer from = ByteBuffer.wrap(record);
    if (from.getShort(CHECKED_BYTES) != checksum(from.duplicate().limit(CHECKED_BYTES))) {
      throw damaged(path, offset, "found a damaged record: its checksum does not match");
    }
    long txn = from.getLong(CHECKED_BYTES - Long.BYTES);
    try {
      return new RecordedRequest(
          from.getInt(),
          (int) (txn >>> MEMBER_SHIFT),
          ACTIONS[from.get()],
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          from.getLong(),
          OUTCOMES[from.get()],
          txn << Byte.SIZE >>> Byte.SIZE);
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
      throw damaged(path, offset, String.valueOf(wrong.getMessage()));
    }
  }

  private static short checksum(ByteBuffer bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    return (short) checksum.getValue();
  }

  private static QuorateException damaged(Path path, long offset, String what) {
    return new QuorateException(
        "%s: offset %d: %s".formatted(VisibleText.of(path.toString()), offset, what));
  }
}
