package io.quorate.store.etcd;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.PendingRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;

/**
 * One request to etcd: a gRPC call with one message each way. Belongs to the event loop of its
 * connection.
 */
final class EtcdCall {
  /** The methods of etcd's interface that are called. */
  enum Method {
    PUT("/etcdserverpb.KV/Put"),
    RANGE("/etcdserverpb.KV/Range"),
    DELETE_RANGE("/etcdserverpb.KV/DeleteRange");

    private final AsciiString path;

    Method(String path) {
      this.path = AsciiString.cached(path);
    }

    AsciiString path() {
      return path;
    }
  }

  private static final int PREFIX_BYTES = 5;

  private final Method method;
  private final MessageLite message;
  private final PendingRequest request;
  private final BiConsumer<ByteBuf, Completion> onAnswer;

  /** The HTTP/2 stream; 0 until the call is sent. */
  int streamId;

  private ByteBuf answer = Unpooled.EMPTY_BUFFER;

  /**
   * Creates a call that is to be sent.
   *
   * @param onAnswer gets the data of an answer with status OK: gRPC's five bytes, and a message
   */
  EtcdCall(
      Method method,
      MessageLite message,
      PendingRequest request,
      BiConsumer<ByteBuf, Completion> onAnswer) {
    this.method = method;
    this.message = message;
    this.request = request;
    this.onAnswer = onAnswer;
  }

  Method method() {
    return method;
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

  /** Keeps a piece of the answer. */
  void received(ByteBuf data) {
    if (answer == Unpooled.EMPTY_BUFFER) {
      answer = Unpooled.buffer(data.readableBytes());
    }
    answer.writeBytes(data);
  }

  int receivedBytes() {
    return answer.readableBytes();
  }

  /** Handles the end of a complete and successful answer. */
  void answered() {
    if (answer.isReadable()) {
      request.end(completion -> onAnswer.accept(answer, completion));
    } else {
      failed(ErrorKind.OTHER, "OK: no answer");
    }
  }

  void failed(ErrorKind kind, String message) {
    request.end(completion -> completion.failed(kind, message));
  }
}
