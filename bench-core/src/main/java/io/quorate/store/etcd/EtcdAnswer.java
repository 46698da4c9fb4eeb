package io.quorate.store.etcd;

import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.netty.buffer.ByteBuf;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;

/**
 * Parses the answers of etcd. Of a put it looks for the header in the bytes as they came: to decode
 * the message for it would allocate some hundred bytes for each write.
 */
final class EtcdAnswer {
  static final String NO_ACKNOWLEDGEMENT = "malformed response: no acknowledgement of a put";

  private static final String NO_HEADER = "malformed response: no header";

  private static final int HEADER = 1;
  private static final int REVISION = 3;
  private static final int VARINT = 0;
  private static final int LONG = 1;
  private static final int BYTES = 2;
  private static final int INT = 5;
  private static final int MOST_VARINT_BITS = 64;

  private EtcdAnswer() {}

  /** Reports the result of a read of one key. */
  static void range(RangeResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getKvsCount() == 0) {
      completion.answered(Answer.MISSING);
    } else {
      completion.answered(
          new Answer.Found(answer.getKvs(0).getValue().toByteArray(), Answer.NO_REVISION));
    }
  }

  /** Reports the result of the removal of one key. */
  static void delete(DeleteRangeResponse answer, Completion completion) {
    if (!answer.hasHeader()) {
      completion.failed(ErrorKind.OTHER, NO_HEADER);
    } else if (answer.getDeleted() == 0) {
      completion.answered(Answer.MISSING);
    } else {
      completion.answered(Answer.WRITTEN);
    }
  }

  /**
   * Whether this is one plain and well-formed message whose header has a revision, as the answer to
   * a successful put does. Reads the data.
   *
   * @param data gRPC's five bytes, and a message
   */
  static boolean acknowledgesPut(ByteBuf data) {
    try {
      boolean compressed = data.readByte() != 0;
      return !compressed && data.readInt() == data.readableBytes() && tellsRevision(data);
    } catch (IndexOutOfBoundsException cutOff) {
      return false;
    }
  }

  private static boolean tellsRevision(ByteBuf message) {
    boolean told = false;
    while (message.isReadable()) {
      long tag = varint(message);
      if (tag == (HEADER << 3 | BYTES)) {
        told |= headerTellsRevision(message, length(message));
      } else {
        skip(message, tag);
      }
    }
    return told;
  }

  private static boolean headerTellsRevision(ByteBuf message, int bytes) {
    int end = message.readerIndex() + bytes;
    boolean told = false;
    while (message.readerIndex() < end) {
      long tag = varint(message);
      if (tag == (REVISION << 3 | VARINT)) {
        told |= varint(message) > 0;
      } else {
        skip(message, tag);
      }
    }
    if (message.readerIndex() != end) {
      throw new IndexOutOfBoundsException();
    }
    return told;
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
    for (int shift = 0; shift < MOST_VARINT_BITS; shift += 7) {
      byte next = message.readByte();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IndexOutOfBoundsException();
  }
}
