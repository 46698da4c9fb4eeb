// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import io.etcd.jetcd.api.RangeResponse;
import io.netty.buffer.ByteBuf;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the chunks of {@code KV.RangeStream} together as they arrive. Each is a {@code
 * RangeStreamResponse} of etcd 3.7, whose only field is a part of the answer to {@code Range}; the
 * merged parts are the whole answer (etcd's rpc.proto). jetcd does not have this message.
 */
final class RangeChunks {
  private static final int RANGE_RESPONSE = 1 << 3 | 2;
  private static final int PREFIX_BYTES = 5;

  /** The answer without its entries, of which a large range has hundreds of megabytes. */
  private final RangeResponse.Builder rest = RangeResponse.newBuilder();

  private final List<Answer.Entry> entries = new ArrayList<>();

  /** Reads the complete messages of what has arrived, and leaves the rest. */
  void read(ByteBuf arrived) throws IOException {
    while (arrived.readableBytes() >= PREFIX_BYTES) {
      long bytes = arrived.getUnsignedInt(arrived.readerIndex() + 1);
      if (arrived.readableBytes() - PREFIX_BYTES < bytes) {
        break;
      }
      if (arrived.readByte() != 0) {
        throw new InvalidProtocolBufferException("not one plain message");
      }
      arrived.skipBytes(PREFIX_BYTES - 1);
      merge(CodedInputStream.newInstance(arrived.readSlice((int) bytes).nioBuffer()));
    }
    arrived.discardReadBytes();
  }

  private void merge(CodedInputStream chunk) throws IOException {
    for (int tag = chunk.readTag(); tag != 0; tag = chunk.readTag()) {
      if (tag == RANGE_RESPONSE) {
        chunk.readMessage(rest, ExtensionRegistryLite.getEmptyRegistry());
        EtcdAnswer.addTo(entries, rest.getKvsList());
        rest.clearKvs();
      } else {
        chunk.skipField(tag);
      }
    }
  }

  /** Reports the whole answer. */
  void end(Completion completion) {
    EtcdAnswer.range(rest.build(), entries, completion);
  }
}
