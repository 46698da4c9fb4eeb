// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.quorate.store.Completion;
import java.io.IOException;
import java.util.List;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.InputArchive;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.proto.GetChildrenResponse;

/**
 * The answer to a request, or the reason why there is none.
 *
 * @param number code of an error, 0 for none
 * @param problem explanation of an error, if the code is not enough; otherwise empty
 * @param record record of the answer; readable only while the outcome of the call runs
 */
record ZooKeeperReply(int number, String problem, InputArchive record) {
  static ZooKeeperReply received(int number, ByteBuf frame) {
    return new ZooKeeperReply(number, "", archive(frame));
  }

  static ZooKeeperReply failed(Code code, String problem) {
    return failed(code.intValue(), problem);
  }

  static ZooKeeperReply failed(int number, String problem) {
    return new ZooKeeperReply(number, problem, archive(Unpooled.EMPTY_BUFFER));
  }

  /** Returns a reader of the rest of a message, in which no field can be longer than that rest. */
  static InputArchive archive(ByteBuf frame) {
    return new BinaryInputArchive(new ByteBufInputStream(frame), frame.readableBytes(), 0);
  }

  boolean isOk() {
    return number == Code.OK.intValue();
  }

  boolean is(Code code) {
    return number == code.intValue();
  }

  /** Reads the names of the children of a node. */
  List<String> children() throws IOException {
    return children(record);
  }

  /** Reads the names of the children of a node. */
  static List<String> children(InputArchive record) throws IOException {
    GetChildrenResponse read = new GetChildrenResponse();
    read.deserialize(record, "");
    if (read.getChildren() == null || read.getChildren().contains(null)) {
      throw new IOException("nodes without names");
    }
    return read.getChildren();
  }

  /** Reports the error. */
  void fail(Completion completion) {
    Code code = Code.get(number);
    completion.failed(ZooKeeperCode.kind(code), problem.isEmpty() ? text(code) : problem);
  }

  private String text(Code code) {
    if (code == null) {
      return "code " + number;
    }
    return code == Code.SESSIONCLOSEDREQUIRESASLAUTH
        ? code + ": the server requires SASL, which this client does not support"
        : code.name();
  }

  @Override
  public String toString() {
    return problem.isEmpty() ? text(Code.get(number)) : problem;
  }
}
