// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.driver.PendingRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One request to etcd: a gRPC call with one message, whose answer is one message or {@link
 * RangeChunks}. Belongs to the event loop of its connection.
 */
final class EtcdCall {
  private static final int PREFIX_BYTES = 5;

  private final EtcdOperation<?, ?> operation;
  private final MessageLite message;
  private final PendingRequest request;

  /** The HTTP/2 stream; 0 until the call is sent. */
  int streamId;

  private ByteBuf answer = Unpooled.EMPTY_BUFFER;

  /** The chunks of the answer; null if it is one message. */
  private final @Nullable RangeChunks chunks;

  EtcdCall(Request asked, PendingRequest request) {
    this.operation = EtcdOperation.of(asked);
    this.message = operation.message(asked);
    this.request = request;
    this.chunks = operation == EtcdOperation.STREAMED_RANGE ? new RangeChunks() : null;
  }

  EtcdOperation<?, ?> operation() {
    return operation;
  }

  /** Returns the data of the call: gRPC's five bytes, and its message. */
  ByteBuf message(ByteBufAllocator allocator) {
    int bytes = message.getSerializedSize();
    ByteBuf to = allocator.ioBuffer(PREFIX_BYTES + bytes, PREFIX_BYTES + bytes);
    to.writeByte(0).writeInt(bytes);
    try {
      CodedOutputStream coded = CodedOutputStream.newInstance(to.nioBuffer(PREFIX_BYTES, bytes));
      message.writeTo(coded);
      coded.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return to.writerIndex(PREFIX_BYTES + bytes);
  }

  PendingRequest request() {
    return request;
  }

  /** Keeps a part of the answer, or reads its complete chunks; fails if they are malformed. */
  void received(ByteBuf data) throws IOException {
    if (answer == Unpooled.EMPTY_BUFFER) {
      answer = Unpooled.buffer(data.readableBytes());
    }
    answer.writeBytes(data);
    if (chunks != null) {
      chunks.read(answer);
    }
  }

  /** Returns how many bytes of one message have arrived. */
  int receivedBytes() {
    return answer.readableBytes();
  }

  void answered() {
    if (chunks != null) {
      request.end(chunks::end);
    } else if (answer.isReadable()) {
      request.end(completion -> operation.received(answer, completion));
    } else {
      failed(ErrorKind.OTHER, "OK: no answer");
    }
  }

  void failed(ErrorKind kind, String message) {
    request.end(completion -> completion.failed(kind, message));
  }
}
