package io.quorate.store.zookeeper;
import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.PendingRequest;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Interprets the answers of ZooKeeper, whose revision of a key is the version of its node. The
 * context of each callback is the {@link PendingRequest}.
 */
public final class ZooKeeperAnswer {
  /** The answer to a create: a new node has version 0. */
  private static final Answer CREATED_NODE = new Answer.Written(0);

  /**
   * Ends a create; the server says which node it made: the one that was asked for, as no name is
   * sequential.
   */
  static final StringCallback CREATED =
      (code, asked, request, made) -> {
        if (code == Code.OK.intValue() && !asked.equals(made)) {
          fail(request, ErrorKind.OTHER, "malformed response: another node than the one asked for");
        } else if (succeeded(request, code)) {
          answer(request, CREATED_NODE);
        }
      };

  static final StatCallback UPDATED =
      (code, path, request, stat) -> {
        if (succeeded(request, code)) {
          answer(request, new Answer.Written(stat.getVersion()));
        }
      };

  static final StatCallback COMPARED =
      (code, path, request, stat) -> {
        if (code == Code.BADVERSION.intValue()) {
          answer(request, Answer.CONFLICT);
        } else {
          UPDATED.processResult(code, path, request, stat);
        }
      };

  static final VoidCallback DELETED =
      (code, path, request) -> {
        if (succeeded(request, code)) {
          answer(request, Answer.WRITTEN);
        }
      };

  static final DataCallback READ =
      (code, path, request, data, stat) -> {
        if (succeeded(request, code)) {
          byte[] value = data == null ? new byte[0] : data;
          answer(request, new Answer.Found(value, stat.getVersion()));
        }
      };

  /**
   * Ends the request if the sync failed; a successful sync says nothing yet: the read behind it
   * ends the request.
   */
  static final VoidCallback SYNCHRONIZED = (code, path, request) -> succeeded(request, code);

  /** Ends a transaction, whose code is that of the first part that could not be carried out. */
  static final MultiCallback TRANSACTED =
      (code, path, request, results) -> {
        if (succeeded(request, code)) {
          answer(request, Answer.WRITTEN);
        }
      };

  private ZooKeeperAnswer() {}

  private static boolean succeeded(Object request, int number) {
    if (number == Code.OK.intValue()) {
      return true;
    }
    Code code = Code.get(number);
    if (code == Code.NONODE) {
      answer(request, Answer.MISSING);
    } else {
      fail(request, kind(code), code == null ? "code " + number : code.name());
    }
    return false;
  }

  private static void answer(Object request, Answer answer) {
    ((PendingRequest) request).end(completion -> completion.answered(answer));
  }

  private static void fail(Object request, ErrorKind kind, String message) {
    ((PendingRequest) request).end(completion -> completion.failed(kind, message));
  }

  /**
   * Returns the kind of an error.
   *
   * @param code null for one that the client library does not know
   */
  public static ErrorKind kind(Code code) {
    if (code == null) {
      return ErrorKind.OTHER;
    }
    return switch (code) {
      case CONNECTIONLOSS,
          SESSIONEXPIRED,
          SESSIONMOVED,
          UNKNOWNSESSION,
          AUTHFAILED,
          SESSIONCLOSEDREQUIRESASLAUTH ->
          ErrorKind.CONNECTION;
      case OPERATIONTIMEOUT, REQUESTTIMEOUT -> ErrorKind.TIMEOUT;
      case NODEEXISTS,
          NOTEMPTY,
          BADVERSION,
          BADARGUMENTS,
          NOAUTH,
          INVALIDACL,
          NOCHILDRENFOREPHEMERALS,
          NOTREADONLY,
          QUOTAEXCEEDED,
          THROTTLEDOP ->
          ErrorKind.REJECTED;
      default -> ErrorKind.OTHER;
    };
  }
}
