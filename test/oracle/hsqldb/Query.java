import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** Runs the statements of its input, one in each line, and writes the rows of those that have any, with tabs between. */
public class Query {
  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Connection connection = DriverManager.getConnection(args[0]);
        Statement statement = connection.createStatement()) {
      for (String sql = in.readLine(); sql != null; sql = in.readLine()) {
        if (!statement.execute(sql)) continue;
        ResultSet rows = statement.getResultSet();
        int width = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          StringBuilder line = new StringBuilder();
          for (int i = 1; i <= width; i++) line.append(i == 1 ? "" : "\t").append(rows.getString(i));
          System.out.println(line);
        }
        System.out.println();
      }
    }
  }
}
