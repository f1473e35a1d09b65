/* Names, labels and properties. */
#include "check.h"

static textcodec_encoding label(const char *text) {
    return textcodec_encoding_for_label(text, strlen(text));
}

static textcodec_encoding name(const char *text) {
    return textcodec_encoding_for_name(text, strlen(text));
}

static void test_names(void) {
    CHECK(textcodec_encoding_count() > TEXTCODEC_MIK);
    size_t labels = 0;
    for (size_t i = 0; i < textcodec_encoding_count(); i++) {
        textcodec_encoding encoding = textcodec_encoding_at(i);
        CHECK(encoding == (textcodec_encoding)i);
        const char *of = textcodec_encoding_name(encoding);
        CHECK(of != NULL && name(of) == encoding);
        CHECK(i >= 40 || label(of) == encoding);
        size_t count = textcodec_encoding_label_count(encoding);
        CHECK((count > 0) == (i < 40));
        for (size_t j = 0; j < count; j++) {
            const char *text = textcodec_encoding_label(encoding, j);
            CHECK(text != NULL && label(text) == encoding);
        }
        CHECK(textcodec_encoding_label(encoding, count) == NULL);
        CHECK(textcodec_encoding_label(encoding, SIZE_MAX) == NULL);
        labels += count;
    }
    CHECK(labels == 228);
    CHECK(textcodec_encoding_at(textcodec_encoding_count()) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_at(SIZE_MAX) == TEXTCODEC_NONE);
    CHECK(strcmp(textcodec_encoding_name(TEXTCODEC_SHIFT_JIS), "Shift_JIS") == 0);
    CHECK(strcmp(textcodec_encoding_name(TEXTCODEC_US_ASCII), "US-ASCII") == 0);
    CHECK(strcmp(textcodec_encoding_label(TEXTCODEC_EUC_JP, 0), "cseucpkdfmtjapanese") == 0);
    CHECK(strcmp(textcodec_encoding_name(TEXTCODEC_IBM01140), "IBM01140") == 0);
}

static void test_lookup(void) {
    CHECK(label(" \t\n\f\rSJIS ") == TEXTCODEC_SHIFT_JIS);
    CHECK(label("latin1") == TEXTCODEC_WINDOWS_1252);
    CHECK(label("iso-8859-1") == TEXTCODEC_WINDOWS_1252);
    CHECK(label("cp932") == TEXTCODEC_NONE);
    CHECK(label("") == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_label("utf-8\0", 6) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_label("utf-8xyz", 5) == TEXTCODEC_UTF_8);
    CHECK(textcodec_encoding_for_label(NULL, 0) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_label(NULL, 5) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_label("utf-8", SIZE_MAX) == TEXTCODEC_NONE);
    CHECK(name("cp932") == TEXTCODEC_SHIFT_JIS);
    CHECK(name("latin_1") == TEXTCODEC_WINDOWS_1252);
    CHECK(name("ISO-8859-1") == TEXTCODEC_LATIN1);
    CHECK(name("iso-8859-1") == TEXTCODEC_WINDOWS_1252);
    CHECK(name("UTF_8") == TEXTCODEC_UTF_8);
    CHECK(name("no-such-name") == TEXTCODEC_NONE);
    CHECK(name("IBM437") == TEXTCODEC_IBM437 && label("IBM437") == TEXTCODEC_NONE);
    CHECK(name("cp850") == TEXTCODEC_IBM850 && label("cp850") == TEXTCODEC_NONE);
    CHECK(name("ibm-037") == TEXTCODEC_IBM037 && name("ebcdic_cp_us") == TEXTCODEC_IBM037);
    CHECK(name("tis620") == TEXTCODEC_WINDOWS_874 && name("iso-8859-9") == TEXTCODEC_WINDOWS_1254);
    CHECK(name("iso-2022-kr") == TEXTCODEC_REPLACEMENT);
    CHECK(name("\xFF") == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_name(NULL, 0) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_name("utf-8", SIZE_MAX) == TEXTCODEC_NONE);
    size_t length = 7;
    CHECK(textcodec_encoding_for_bom("\xEF\xBB\xBFx", 4, &length) == TEXTCODEC_UTF_8);
    CHECK(length == 3);
    CHECK(textcodec_encoding_for_bom("\xFE\xFF", 2, &length) == TEXTCODEC_UTF_16BE);
    CHECK(length == 2);
    CHECK(textcodec_encoding_for_bom("\xFF\xFE", 2, NULL) == TEXTCODEC_UTF_16LE);
    CHECK(textcodec_encoding_for_bom("\xEF\xBB", 2, &length) == TEXTCODEC_NONE);
    CHECK(length == 0);
    CHECK(textcodec_encoding_for_bom(NULL, 0, &length) == TEXTCODEC_NONE);
    CHECK(textcodec_encoding_for_bom("\xFF\xFE", SIZE_MAX, &length) == TEXTCODEC_NONE);
}

static void test_properties(void) {
    for (size_t i = 0; i < textcodec_encoding_count(); i++) {
        textcodec_encoding e = textcodec_encoding_at(i);
        set_case("properties of %s", textcodec_encoding_name(e));
        bool utf16 = e == TEXTCODEC_UTF_16BE || e == TEXTCODEC_UTF_16LE;
        bool replacement = e == TEXTCODEC_REPLACEMENT;
        CHECK(textcodec_encoding_has_encoder(e) == !replacement);
        CHECK(textcodec_encoding_can_encode(e, 'a') == !replacement);
        CHECK(!textcodec_encoding_can_encode(e, 0xD800));
        CHECK(!textcodec_encoding_can_encode(e, 0x110000));
        CHECK(!textcodec_encoding_can_encode(e, UINT32_MAX));
        if (e > TEXTCODEC_US_ASCII) {
            bool ascii = textcodec_encoding_is_ascii_compatible(e);
            bool page = e >= TEXTCODEC_IBM437 && e <= TEXTCODEC_MIK;
            CHECK(!page || textcodec_encoding_output(e) == e);
            CHECK(!page || textcodec_encoding_may_be_overridden(e) == ascii);
            CHECK(!page || textcodec_encoding_may_be_overridden_to(e) == ascii);
            continue;
        }
        CHECK(textcodec_encoding_output(e) == (utf16 || replacement ? TEXTCODEC_UTF_8 : e));
        CHECK(textcodec_encoding_is_ascii_compatible(e) ==
              !(utf16 || replacement || e == TEXTCODEC_ISO_2022_JP));
        CHECK(textcodec_encoding_is_single_byte(e) ==
              ((e > TEXTCODEC_UTF_8 && e < TEXTCODEC_GBK) || e >= TEXTCODEC_X_USER_DEFINED));
        CHECK(textcodec_encoding_may_be_overridden(e) == !utf16);
        CHECK(textcodec_encoding_may_be_overridden_to(e) == !utf16);
    }
    CHECK(textcodec_encoding_is_ascii_compatible(TEXTCODEC_IBM437));
    CHECK(!textcodec_encoding_is_ascii_compatible(TEXTCODEC_IBM037));
    CHECK(!textcodec_encoding_is_ascii_compatible(TEXTCODEC_IBM864));
    CHECK(textcodec_encoding_is_single_byte(TEXTCODEC_IBM437));
    CHECK(textcodec_encoding_is_single_byte(TEXTCODEC_IBM037));
    CHECK(textcodec_encoding_can_encode(TEXTCODEC_IBM437, 0x2588));
    CHECK(!textcodec_encoding_can_encode(TEXTCODEC_IBM864, '%'));
    CHECK(textcodec_encoding_can_encode(TEXTCODEC_SHIFT_JIS, 0x3042));
    CHECK(!textcodec_encoding_can_encode(TEXTCODEC_KOI8_R, 0x3042));
    CHECK(textcodec_encoding_can_encode(TEXTCODEC_UTF_16LE, 0x10FFFF));
    const textcodec_encoding unknown[] = {
        TEXTCODEC_NONE, -7, (textcodec_encoding)textcodec_encoding_count(), 9999, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        textcodec_encoding e = unknown[i];
        set_case("properties of %d", e);
        CHECK(textcodec_encoding_name(e) == NULL);
        CHECK(textcodec_encoding_label_count(e) == 0);
        CHECK(textcodec_encoding_label(e, 0) == NULL);
        CHECK(textcodec_encoding_output(e) == TEXTCODEC_NONE);
        CHECK(!textcodec_encoding_is_ascii_compatible(e));
        CHECK(!textcodec_encoding_is_single_byte(e));
        CHECK(!textcodec_encoding_can_encode(e, 'a'));
        CHECK(!textcodec_encoding_may_be_overridden(e));
        CHECK(!textcodec_encoding_may_be_overridden_to(e));
        CHECK(!textcodec_encoding_has_encoder(e));
    }
}

void test_encodings(void) {
    set_case("encodings");
    CHECK(textcodec_abi_version() == TEXTCODEC_ABI_VERSION);
    CHECK(strchr(textcodec_version(), '.') != NULL);
    textcodec_free(NULL);
    test_names();
    test_lookup();
    test_properties();
}
