/* Prints the encoding of a file: detect FILE. */
#include <stdio.h>
#include <textcodec_detect.h>

int main(int count, char **arguments) {
    char bytes[4096];
    size_t length = sizeof bytes;
    textcodec_detector *detector;
    textcodec_detection *detection;
    if (count != 2) {
        fputs("usage: detect FILE\n", stderr);
        return 1;
    }
    FILE *file = fopen(arguments[1], "rb");
    if (file == NULL) {
        perror(arguments[1]);
        return 1;
    }
    textcodec_status status = textcodec_detector_new(&detector);
    while (status == TEXTCODEC_OK && length == sizeof bytes) {
        length = fread(bytes, 1, sizeof bytes, file);
        status = textcodec_detector_feed(detector, bytes, length);
    }
    if (status != TEXTCODEC_OK ||
        textcodec_detector_finish(detector, false, &detection) != TEXTCODEC_OK) {
        fputs("no memory\n", stderr);
        return 1;
    }
    textcodec_encoding encoding = textcodec_detection_encoding(detection);
    printf("%s: %s (%.1f %%): %s\n", arguments[1], textcodec_encoding_name(encoding),
           100 * textcodec_detection_probability(detection), textcodec_detection_reason(detection));
    textcodec_detection_free(detection);
    textcodec_detector_free(detector);
}
