import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;

/** Prints the single-byte tables of Java's charsets, in the form that sources.py describes. */
public class Sources {
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            Charset charset = Charset.forName(argument.substring("java:".length()));
            StringBuilder line = new StringBuilder(argument);
            for (int value = 0; value < 256; value++) {
                line.append(value == 0 ? '\t' : ' ').append(field(charset, (byte) value));
            }
            System.out.println(line);
        }
    }

    private static String field(Charset charset, byte value) {
        try {
            // A new decoder reports errors.
            String text = charset.newDecoder().decode(ByteBuffer.wrap(new byte[] {value})).toString();
            return text.length() == 1 && text.charAt(0) != '\uFFFD' ? String.format("%04X", (int) text.charAt(0)) : "----";
        } catch (CharacterCodingException error) {
            return "----";
        }
    }
}
