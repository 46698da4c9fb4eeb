// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnResponse;
import io.netty.buffer.ByteBuf;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses the answers of etcd. For a put it searches the header in the raw bytes: decoding the
 * message would allocate some hundred bytes for each write.
 */
final class EtcdAnswer {
  private static final String NO_ACKNOWLEDGEMENT = "malformed response: no acknowledgment of a put";
  private static final String NO_TXN_ACKNOWLEDGEMENT =
      "malformed response: no acknowledgment of a txn";
  private static final String NO_HEADER = "malformed response: no header";

  private static final int HEADER = 1;
  private static final int REVISION = 3;
  private static final int VARINT = 0;
  private static final int LONG = 1;
  private static final int BYTES = 2;
  private static final int INT = 5;
  private static final int MAX_VARINT_BITS = 64;

  private EtcdAnswer() {}

  static void put(PutResponse answer, Completion completion) {
    put(answer.getHeader().getRevision(), completion);
  }

  /** Reports the result of a write, from gRPC's five bytes and a message. */
  static void put(ByteBuf data, Completion completion) {
    put(revisionOfPut(data), completion);
  }

  private static void put(long revision, Completion completion) {
    if (revision > 0) {
      completion.answered(new Answer.Written(revision));
    } else {
      completion.failed(ErrorKind.OTHER, NO_ACKNOWLEDGEMENT);
    }
  }

  static void get(RangeResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getKvsCount() == 0) {
      completion.answered(Answer.MISSING);
    } else {
      completion.answered(found(answer.getKvs(0)));
    }
  }

  static void exists(RangeResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else {
      completion.answered(answer.getCount() == 0 ? Answer.MISSING : Answer.EXISTS);
    }
  }

  private static Answer.Found found(KeyValue found) {
    long revision = found.getModRevision() > 0 ? found.getModRevision() : Answer.NO_REVISION;
    return new Answer.Found(found.getValue().toByteArray(), revision);
  }

  static void delete(DeleteRangeResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getDeleted() == 0) {
      completion.answered(Answer.MISSING);
    } else {
      completion.answered(Answer.WRITTEN);
    }
  }

  static void range(RangeResponse answer, Completion completion) {
    List<Answer.Entry> entries = new ArrayList<>(answer.getKvsCount());
    addTo(entries, answer.getKvsList());
    range(answer, entries, completion);
  }

  static void addTo(List<Answer.Entry> entries, List<KeyValue> found) {
    for (KeyValue each : found) {
      entries.add(new Answer.Entry(each.getKey().toByteArray(), each.getValue().toByteArray()));
    }
  }

  /** Reports a range whose entries are not in its message. */
  static void range(RangeResponse answer, List<Answer.Entry> entries, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getCount() < entries.size()) {
      completion.failed(ErrorKind.OTHER, "malformed response: more keys than their count");
    } else {
      completion.answered(
          new Answer.Entries(answer.getCount(), entries, answer.getHeader().getRevision()));
    }
  }

  /** Reports the result of a transaction that writes a key if its revision is as expected. */
  static void compareAndSet(TxnResponse answer, Completion completion) {
    if (answer.getHeader().getRevision() > 0 && !answer.getSucceeded()) {
      completion.answered(Answer.CONFLICT);
    } else {
      txn(answer, completion);
    }
  }

  /**
   * Reports the result of a transaction that changes a key if its revision is as expected, and
   * reads it otherwise.
   */
  static void optimistic(TxnResponse answer, Completion completion) {
    if (answer.getHeader().getRevision() <= 0 || answer.getSucceeded()) {
      txn(answer, completion);
    } else if (answer.getResponsesCount() != 1 || !answer.getResponses(0).hasResponseRange()) {
      completion.failed(ErrorKind.OTHER, "malformed response: no current value in a txn");
    } else {
      RangeResponse current = answer.getResponses(0).getResponseRange();
      completion.answered(
          current.getKvsCount() == 0
              ? Answer.MISSING
              : new Answer.Conflict(Optional.of(found(current.getKvs(0)))));
    }
  }

  static void txn(TxnResponse answer, Completion completion) {
    long revision = answer.getHeader().getRevision();
    if (revision > 0 && answer.getSucceeded()) {
      List<Answer> reads = new ArrayList<>();
      for (ResponseOp part : answer.getResponsesList()) {
        if (part.hasResponseRange()) {
          RangeResponse read = part.getResponseRange();
          reads.add(read.getKvsCount() == 0 ? Answer.MISSING : found(read.getKvs(0)));
        }
      }
      completion.answered(Answer.Results.of(revision, reads));
    } else {
      completion.failed(ErrorKind.OTHER, NO_TXN_ACKNOWLEDGEMENT);
    }
  }

  static void compact(CompactionResponse answer, Completion completion) {
    if (answer.hasHeader()) {
      completion.answered(Answer.WRITTEN);
    } else {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    }
  }

  static void leaseGrant(LeaseGrantResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getID() == 0) {
      completion.failed(ErrorKind.OTHER, "malformed response: no lease");
    } else {
      completion.answered(new Answer.Granted(Long.toString(answer.getID())));
    }
  }

  /** Reports the result of keeping a lease alive: an ended lease has no time to live. */
  static void leaseKeepAlive(LeaseKeepAliveResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else {
      completion.answered(answer.getTTL() > 0 ? Answer.RENEWED : Answer.MISSING);
    }
  }

  /**
   * Returns the revision in the header of one uncompressed, well-formed answer to a successful put;
   * {@link Answer#NO_REVISION} for other data. Reads the data, and allocates nothing.
   *
   * @param data gRPC's prefix of five bytes, and a message
   */
  static long revisionOfPut(ByteBuf data) {
    try {
      boolean compressed = data.readByte() != 0;
      return !compressed && data.readInt() == data.readableBytes()
          ? revision(data)
          : Answer.NO_REVISION;
    } catch (IndexOutOfBoundsException cutOff) {
      return Answer.NO_REVISION;
    }
  }

  private static long revision(ByteBuf message) {
    long revision = Answer.NO_REVISION;
    while (message.isReadable()) {
      long tag = varint(message);
      if (tag == (HEADER << 3 | BYTES)) {
        revision = Math.max(revision, revisionOfHeader(message, length(message)));
      } else {
        skip(message, tag);
      }
    }
    return revision;
  }

  private static long revisionOfHeader(ByteBuf message, int bytes) {
    int end = message.readerIndex() + bytes;
    long revision = Answer.NO_REVISION;
    while (message.readerIndex() < end) {
      long tag = varint(message);
      if (tag == (REVISION << 3 | VARINT)) {
        revision = varint(message);
      } else {
        skip(message, tag);
      }
    }
    if (message.readerIndex() != end) {
      throw new IndexOutOfBoundsException();
    }
    return revision > 0 ? revision : Answer.NO_REVISION;
  }

  private static void skip(ByteBuf message, long tag) {
    switch ((int) tag & 7) {
      case VARINT -> varint(message);
      case LONG -> message.skipBytes(Long.BYTES);
      case BYTES -> message.skipBytes(length(message));
      case INT -> message.skipBytes(Integer.BYTES);
      default -> throw new IndexOutOfBoundsException();
    }
  }

  private static int length(ByteBuf message) {
    long length = varint(message);
    if (length < 0 || length > message.readableBytes()) {
      throw new IndexOutOfBoundsException();
    }
    return (int) length;
  }

  private static long varint(ByteBuf message) {
    long value = 0;
    for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
      byte next = message.readByte();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IndexOutOfBoundsException();
  }
}
