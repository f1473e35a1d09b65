// The names of iconv-lite, reduced to letters and digits in lower case. These names are data: they are those of
// iconv-lite 0.7.3. Each line is the name of an encoding, followed by its other names.

/** Single-byte encodings whose tables are the standard's, after its label, except for the controls of windows-1252 and others. */
export const STANDARD_PAGES = `
windows-874 windows874 874 cp874 win874
windows-1250 windows1250 1250 cp1250 msee win1250
windows-1251 windows1251 1251 cp1251 mscyrl win1251
windows-1252 windows1252 1252 cp1252 msansi win1252
windows-1253 windows1253 1253 cp1253 msgreek win1253
windows-1254 windows1254 1254 cp1254 msturk win1254
windows-1255 windows1255 1255 cp1255 mshebr win1255
windows-1256 windows1256 1256 cp1256 msarab win1256
windows-1257 windows1257 1257 cp1257 win1257 winbaltrim
windows-1258 windows1258 1258 cp1258 win1258
iso-8859-2 iso88592 28592 cp28592 csisolatin2 isoir101 l2 latin2
iso-8859-3 iso88593 28593 cp28593 csisolatin3 isoir109 l3 latin3
iso-8859-4 iso88594 28594 cp28594 csisolatin4 isoir110 l4 latin4
iso-8859-5 iso88595 28595 cp28595 csisolatincyrillic cyrillic isoir144
iso-8859-6 iso88596 28596 arabic arabic8 asmo708 cp28596 csisolatinarabic ecma114 isoir127
iso-8859-7 iso88597 28597 cp28597 csisolatingreek ecma118 elot928 greek greek8 isoir126
iso-8859-8 iso88598 28598 cp28598 csisolatinhebrew hebrew hebrew8 iso88598e iso88598i isoir138
iso-8859-10 iso885910 28600 cp28600 csisolatin6 isoir157 l6 latin6
iso-8859-13 iso885913 28603 cp28603 isoir179 l7 latin7
iso-8859-14 iso885914 28604 celtic celtic8 cp28604 isoceltic isoir199 l8 latin8
iso-8859-15 iso885915 28605 cp28605 isoir203 l9 latin9
iso-8859-16 iso885916 28606 cp28606 isoir226 l10 latin10
ibm866 cp866 866 csibm866 ibm866
koi8-r koi8r 20866 cp20866 cskoi8r ibm878
koi8-u koi8ru
`;

/** Single-byte encodings with tables of their own: those that the standard does not have, or has with other characters. The table of "iso88591" is Latin-1, all others are in pages.js. */
export const OTHER_PAGES = `
iso88591 28591 cp28591 cp819 csisolatin1 ibm819 isoir100 l1 latin1
iso88599 28599 cp28599 csisolatin5 isoir148 l5 latin5 turkish turkish8
iso885911 28601 cp28601 thai thai8
koi8u 21866 cp21866 ibm1168
macintosh csmacintosh mac
macroman 10000
maccyrillic 10007
macukraine
ascii ansix34 ansix341968 ansix341986 ascii8bit cp367 csascii ibm367 iso646irv iso646us isoir6 us usascii
tis620 isoir166 tis6200 tis62025291 tis62025330
cp437 437 cspc8codepage437 csibm437 ibm437
cp720
cp737 737 csibm737 ibm737
cp775 775 csibm775 cspc775baltic ibm775
cp808 808 ibm808
cp850 850 csibm850 cspc850multilingual ibm850
cp852 852 csibm852 cspcp852 ibm852
cp855 855 csibm855 ibm855
cp856 856 csibm856 ibm856
cp857 857 csibm857 ibm857
cp858 858 csibm858 ibm858
cp860 860 csibm860 ibm860
cp861 861 csibm861 ibm861
cp862 862 csibm862 cspc862latinhebrew ibm862
cp863 863 csibm863 ibm863
cp864 864 csibm864 ibm864
cp865 865 csibm865 ibm865
cp869 869 cpgr csibm869 ibm869
cp922 922 csibm922 ibm922
cp1046 1046 csibm1046 ibm1046
cp1124 1124 csibm1124 ibm1124
cp1125 1125 csibm1125 ibm1125
cp1129 1129 csibm1129 ibm1129
cp1133 1133 csibm1133 ibm1133
cp1161 1161 csibm1161 ibm1161
cp1162 1162 csibm1162 ibm1162
cp1163 1163 csibm1163 ibm1163
maccenteuro 10029
maccroatian
macgreek 10006
maciceland 10079
macromania
macthai
macturkish 10081
koi8t
mik
armscii8
georgianacademy
georgianps
rk1048 strk10482002
pt154
tcvn tcvn5712 tcvn57121
viscii
iso646cn cn gb198880 isoir57
iso646jp csiso14jisc6220ro isoir14 jisc62201969ro jp
hproman8 cshproman8 ibm1051 r8 roman8 xroman8
`;

/** Encodings of the standard with up to four bytes per character, after their label. */
export const MULTI_BYTE = `
shift_jis shiftjis 932 cp932 csshiftjis ms31j ms932 mskanji sjis windows31j windows932 xsjis
euc-jp eucjp
gbk cp936 936 csgb2312 csiso58gb231280 euccn gb2312 gb23121980 gb231280 ms936 windows936
gbk gbk isoir58 xgbk
gb18030 gb18030 chinese
euc-kr cp949 949 cseuckr csksc56011987 euckr isoir149 korean ksc5601 ksc56011987 ksc56011989 ms949 windows949
big5 cp950 950 ms950 windows950
big5 big5hkscs big5 cnbig5 csbig5 xxbig5
`;

/** Encodings of the standard that iconv-lite does not have, after their type and label. */
export const STANDARD_ONLY = `
_standard iso-2022-jp iso2022jp
_sbcs x-mac-cyrillic xmaccyrillic
_sbcs x-user-defined xuserdefined
`;

/** All other encodings. */
export const OTHERS = `
utf8 unicode11utf8
cesu8
ucs2 utf16le
utf16be
utf16
utf32le ucs4le
utf32be ucs4be
utf32 ucs4
utf7 unicode11utf7
utf7imap
binary
base64
hex
`;
