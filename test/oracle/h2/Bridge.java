import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * H2 by lines: a request is a line of fields between tabs, and so is its answer. Each client of the port has a database
 * of its own, which ends with the client. Each connection has a thread of its own, so that one can wait for the locks
 * of another. The process ends with its input.
 */
public class Bridge {
  private static final String OPTIONS = ";MODE=Oracle;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final Socket client;
  private final String url;
  private final PrintStream out;

  private Bridge(Socket client, int number) throws IOException {
    this.client = client;
    url = "jdbc:h2:mem:test" + number + OPTIONS;
    out = new PrintStream(client.getOutputStream(), false, StandardCharsets.UTF_8);
  }

  public static void main(String[] args) throws Exception {
    ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread accepting = new Thread(() -> accept(server));
    accepting.setDaemon(true);
    accepting.start();
    System.out.println(server.getLocalPort());
    while (System.in.read() != -1) continue;
    System.exit(0);
  }

  private static void accept(ServerSocket server) {
    for (int number = 1; ; number++) {
      try {
        Bridge bridge = new Bridge(server.accept(), number);
        new Thread(bridge::serve).start();
      } catch (IOException error) {
        error.printStackTrace();
      }
    }
  }

  private void serve() {
    // H2 looks for the class of a function there; a program in one source file has a loader of its own.
    Thread.currentThread().setContextClassLoader(Bridge.class.getClassLoader());
    try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS DBMS_LOB");
      statement.execute("CREATE ALIAS DBMS_LOB.COMPARE FOR \"Bridge.compare\"");
      statement.execute("CREATE ALIAS SYS_EXTRACT_UTC FOR \"Bridge.extractUtc\"");
      statement.execute("CREATE ALIAS FROM_TZ FOR \"Bridge.fromZone\"");
      statement.execute("CREATE ALIAS CODE_POINTS FOR \"Bridge.codePoints\"");
      answer("ready");
      try {
        serveLines();
      } catch (IOException error) {
        // The client ended without closing.
      }
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException error) {
      error.printStackTrace();
    } finally {
      for (Session session : sessions.values()) session.thread.shutdown();
      try {
        client.close();
      } catch (IOException error) {
        // It is closed already.
      }
    }
  }

  private void serveLines() throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] request = line.split("\t", -1);
      Session session = sessions.computeIfAbsent(request[1], name -> new Session());
      if (request[2].equals("cancel")) session.cancel();
      else session.thread.execute(() -> session.serve(request));
    }
  }

  /** DBMS_LOB.COMPARE: 0 for equal ones. */
  public static Integer compare(byte[] one, byte[] other) {
    return one == null || other == null ? null : Arrays.compareUnsigned(one, other);
  }

  /** SYS_EXTRACT_UTC: the time in UTC, without saying so. */
  public static LocalDateTime extractUtc(OffsetDateTime time) {
    return time == null ? null : time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
  }

  /** FROM_TZ of a zone's name. */
  public static OffsetDateTime fromZone(LocalDateTime time, String zone) {
    return time == null ? null : time.atZone(ZoneId.of(zone)).toOffsetDateTime();
  }

  /** The length of text, which H2 counts in units of 16 bits. */
  public static Integer codePoints(String text) {
    return text == null || text.isEmpty() ? null : text.codePointCount(0, text.length());
  }

  private static byte[] bytes(Object value) throws SQLException {
    return value instanceof Blob blob ? blob.getBytes(1, (int) blob.length()) : (byte[]) value;
  }

  private synchronized void answer(String line) {
    out.print(line + "\n");
    out.flush();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private final class Session {
    final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Connection connection;
    private volatile PreparedStatement running;

    Session() {
      try {
        connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
      } catch (SQLException error) {
        throw new IllegalStateException(error);
      }
    }

    void cancel() {
      try {
        PreparedStatement statement = running;
        if (statement != null) statement.cancel();
      } catch (SQLException error) {
        // It was about to end anyway.
      }
    }

    void serve(String[] request) {
      try {
        answer(request[0] + "\tok\t" + result(request));
      } catch (SQLException error) {
        answer(request[0] + "\terr\t" + error.getErrorCode() + "\t" + encoded(String.valueOf(error.getMessage())));
      } catch (Exception error) {
        answer(request[0] + "\terr\t0\t" + encoded(error.toString()));
      }
    }

    private String result(String[] request) throws SQLException {
      switch (request[2]) {
        case "commit" -> connection.commit();
        case "rollback" -> connection.rollback();
        case "isolation" -> connection.createStatement()
            .execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + request[3]);
        case "close" -> {
          connection.rollback();
          connection.close();
          sessions.remove(request[1]);
          thread.shutdown();
        }
        case "prepare" -> connection.prepareStatement(decoded(request[3])).close();
        case "run" -> {
          return run(decoded(request[3]), Integer.parseInt(request[4]), request);
        }
        default -> throw new SQLException("unknown request " + request[2]);
      }
      return "0\t0";
    }

    /** Runs a statement with each group of so many values, of which there is at least one. */
    private String run(String sql, int width, String[] request) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        running = statement;
        StringBuilder affected = new StringBuilder();
        for (int from = 5; ; from += width) {
          for (int i = 0; i < width; i++) statement.setObject(i + 1, value(request[from + i]));
          if (statement.execute()) return rows(statement.getResultSet());
          affected.append(Math.max(0, statement.getLargeUpdateCount()));
          if (from + width >= request.length) return affected + "\t0";
          affected.append(',');
        }
      } finally {
        running = null;
      }
    }

    private static String decoded(String text) {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Object value(String field) {
      String text = field.substring(1);
      return switch (field.charAt(0)) {
        case 'n' -> null;
        case 'd' -> new BigDecimal(text);
        case 'f' -> Double.valueOf(text);
        case 't' -> OffsetDateTime.parse(text);
        case 'b' -> Base64.getDecoder().decode(text);
        default -> decoded(text);
      };
    }

    private static String rows(ResultSet rows) throws SQLException {
      ResultSetMetaData columns = rows.getMetaData();
      int width = columns.getColumnCount();
      StringBuilder text = new StringBuilder("0\t" + width);
      for (int i = 1; i <= width; i++) text.append('\t').append(encoded(columns.getColumnTypeName(i) + "\n" + columns.getColumnLabel(i)));
      while (rows.next()) for (int i = 1; i <= width; i++) text.append('\t').append(cell(rows.getObject(i)));
      return text.toString();
    }

    private static String cell(Object value) throws SQLException {
      if (value == null) return "n";
      if (value instanceof BigDecimal number) return "s" + number.stripTrailingZeros().toPlainString();
      if (value instanceof OffsetDateTime time) return "s" + time.toInstant();
      if (value instanceof byte[] || value instanceof Blob) return "s" + encoded(Base64.getEncoder().encodeToString(bytes(value)));
      if (value instanceof Clob clob) return "s" + encoded(clob.getSubString(1, (int) clob.length()));
      return "s" + encoded(value.toString());
    }
  }
}
