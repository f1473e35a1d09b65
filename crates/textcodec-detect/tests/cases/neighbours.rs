//! Neighbours of the reported cases: tables, words and pages of one encoding.

use textcodec::{
    BIG5, EUC_KR, GBK, IBM866, ISO_8859_2, ISO_8859_5, ISO_8859_7, ISO_8859_15, KOI8_R, KOI8_U, MACINTOSH, SHIFT_JIS,
    WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257,
    oem::{IBM437, IBM737, IBM775, IBM850, IBM852, IBM855, IBM857, IBM860, IBM862, IBM865},
};

use super::{Case, check, check_ten, little, rows, text};

#[test]
fn symbols_in_many_rows() {
    check_ten([
        little(WINDOWS_1252, &rows(200, |n| format!("Cable {n} m;{}.50 £", n * 3))),
        little(WINDOWS_1252, &rows(200, |n| format!("panel {n} × {} cm", n + 2))),
        little(WINDOWS_1252, &rows(50, |n| format!("Oven {n},{} °C", 20 * n))),
        little(WINDOWS_1252, &rows(3, |n| format!("{n}½ cups of flour"))),
        little(WINDOWS_1252, &rows(400, |n| format!("© {} Example Ltd.", 1600 + n))),
        little(WINDOWS_1252, &rows(30, |n| format!("§ {n} Lease of flats"))),
        little(WINDOWS_1252, &rows(100, |n| format!("“Item {n}” – see below"))),
        little(ISO_8859_15, &rows(300, |n| format!("{n},00 € net"))),
        little(MACINTOSH, &rows(120, |n| format!("Volume {n} • page {n}"))),
        little(MACINTOSH, &rows(120, |n| format!("Copper wire {n},¥{n}00"))),
        little(IBM850, &rows(60, |n| format!("Bolt {n};ø {n} mm"))),
        little(IBM437, &rows(60, |n| format!("angle {n}°;sin² {n}"))),
        little(WINDOWS_1251, &rows(150, |n| format!("Order № {n} of the store"))),
        little(WINDOWS_1250, &rows(150, |n| format!("{n} ‰ salt, batch {n}"))),
        little(IBM866, &rows(90, |n| format!("Order № {n} of the store"))),
        little(KOI8_R, &rows(90, |n| format!("{n} ≤ x ≤ {n}0"))),
    ]);
}

#[test]
fn no_break_spaces() {
    let amounts = |unit: &str| rows(40, |n| format!("Invoice {n};{n}\u{A0}{:03}\u{A0}{unit}", n * 7));
    check_ten([
        text(WINDOWS_1252, &amounts("EUR")),
        little(WINDOWS_1252, &amounts("€")),
        text(WINDOWS_1252, "Vol.\u{A0}3, p.\u{A0}17 of the printed edition, with the notes."),
        text(WINDOWS_1252, &rows(300, |n| format!("<td>\u{A0}</td><td>\u{A0}{n}\u{A0}</td>"))),
        text(WINDOWS_1252, &rows(20, |n| format!("Mr.\u{A0}Brown has number\u{A0}{n} in the list."))),
        text(WINDOWS_1252, "Bonjour\u{A0}! Où êtes-vous\u{A0}? «\u{A0}Je suis déjà à l'hôtel\u{A0}», répondit-elle."),
        text(WINDOWS_1251, "В\u{A0}лесу и\u{A0}на реке было тихо, с\u{A0}утра никто не\u{A0}приходил."),
        text(WINDOWS_1250, "V\u{A0}lese bylo ticho a\u{A0}nikdo nepřišel, i\u{A0}když už dávno svítilo slunce."),
        text(WINDOWS_1253, "Στις\u{A0}5 το πρωί έβρεχε ακόμα, και\u{A0}κανείς δεν ήρθε."),
        little(MACINTOSH, &rows(30, |n| format!("Room\u{A0}{n} is on floor\u{A0}{n}"))),
        little(IBM850, &rows(30, |n| format!("{n}\u{A0}{:03} kg of sand", n * 5))),
        little(KOI8_R, &rows(30, |n| format!("page\u{A0}{n}"))),
    ]);
}

#[test]
fn text_of_dos() {
    check_ten([
        text(IBM850, "Frühstück gibt es täglich außer sonntags ab sieben Uhr, Gäste können später kommen.\r\n"),
        text(
            IBM850,
            "La forêt est calme et l'élève rêve déjà à l'été; où êtes-vous passés, mes chères sœurs?"
                .replace('œ', "oe")
                .as_str(),
        ),
        text(IBM850, "El niño pequeño soñó con una montaña; mañana irá a la estación con su compañía.\r\n"),
        text(IBM860, "A situação não é fácil: são três opções, e ninguém sabe se há solução até amanhã.\r\n"),
        text(IBM865, "Vi kjører på øya når båten går, og spiser rømmegrøt på kvelden før vi drar hjem igjen.\r\n"),
        text(IBM437, "Hyvää päivää, tämä on pitkä kesäyö järven äärellä; sää on lämmin mutta tuuli käy yöllä.\r\n"),
        text(IBM852, "Příliš žluťoučký kůň pěl ďábelské ódy, a proto všichni běželi přes řeku domů.\r\n"),
        text(IBM852, "Zażółć gęślą jaźń. Już późno, więc wróćmy do domu, bo mróz ściska coraz mocniej.\r\n"),
        text(IBM857, "Güneşli bir günde çocuklar bahçede oynuyor, yaşlılar ise ağaçların altında çay içiyordu.\r\n"),
        text(IBM775, "Šiandien oras gražus, todėl važiuosime į mišką, kur auga daug grybų ir žydi gėlės.\r\n"),
        text(IBM866, "Сегодня утром шёл дождь, но к вечеру небо прояснилось, и все пошли гулять.\r\n"),
        text(IBM855, "Сегодня утром шел дождь, но к вечеру небо прояснилось, и все пошли гулять.\r\n"),
        text(IBM737, "Σήμερα το πρωί έβρεχε, αλλά το βράδυ ο ουρανός καθάρισε και βγήκαμε έξω.\r\n"),
        text(IBM862, "היום בבוקר ירד גשם, אבל בערב השמיים התבהרו וכולם יצאו לטייל.\r\n"),
    ]);
}

#[test]
fn one_word() {
    check_ten([
        little(WINDOWS_1252, "caf\u{E9}"),
        little(WINDOWS_1252, "Übergröße"),
        little(WINDOWS_1252, "señor"),
        little(WINDOWS_1251, "привет"),
        little(KOI8_R, "привет"),
        little(IBM866, "привет"),
        little(ISO_8859_5, "привет"),
        little(WINDOWS_1253, "καλημέρα"),
        little(WINDOWS_1255, "שלום"),
        little(WINDOWS_1256, "مرحبا"),
        little(WINDOWS_874, "สวัสดี"),
        little(WINDOWS_1250, "źdźbło"),
        little(ISO_8859_2, "źdźbło"),
        little(WINDOWS_1257, "ačiū"),
        little(WINDOWS_1254, "İstanbul"),
        little(IBM850, "Führer.txt"),
        little(IBM437, "mañana"),
        little(MACINTOSH, "naïve"),
        little(SHIFT_JIS, "新しい"),
        little(SHIFT_JIS, "東京"),
        little(GBK, "你好"),
        little(BIG5, "你好"),
        little(EUC_KR, "안녕"),
        little(WINDOWS_1251, "ПРИВЕТ"),
        little(KOI8_R, "ПРИВЕТ"),
        little(WINDOWS_1253, "ΚΑΛΗΜΕΡΑ"),
    ]);
}

fn subtitle(encoding: textcodec::Encoding, first: &str, second: &str) -> Case {
    text(encoding, &format!("{first}\r\n00:00:07,120 --> 00:00:09,480\r\n{second}\r\n\r\n"))
}

#[test]
fn short_subtitles() {
    check_ten([
        subtitle(WINDOWS_1253, "Ποιος είναι εκεί;", "Εγώ είμαι, άνοιξε!"),
        subtitle(ISO_8859_7, "Ποιος είναι εκεί;", "Εγώ είμαι, φίλε μου, άνοιξε!"),
        subtitle(WINDOWS_1256, "من هناك؟", "أنا، افتح الباب من فضلك."),
        subtitle(WINDOWS_1255, "מי שם?", "זה אני, תפתח את הדלת בבקשה."),
        subtitle(WINDOWS_1251, "Кто там?", "Это я, открой дверь."),
        subtitle(KOI8_U, "Хто там?", "Це я, відчини, будь ласка, двері."),
        subtitle(WINDOWS_1250, "Kto tam je?", "To som ja, otvor dvere, už ide dážď."),
        subtitle(WINDOWS_1250, "Tko je to?", "Ja sam, otvori vrata, već čekamo satima."),
        subtitle(ISO_8859_2, "Ki van ott?", "Én vagyok, nyisd ki az ajtót, kérlek, esik az eső."),
        subtitle(WINDOWS_1254, "Kim var orada?", "Benim, kapıyı aç, dışarıda yağmur yağıyor."),
        subtitle(WINDOWS_1252, "Wer ist da?", "Ich bin's, öffne die Tür, draußen regnet es."),
        subtitle(WINDOWS_874, "ใครอยู่ที่นั่น", "ฉันเอง เปิดประตูหน่อย"),
        subtitle(SHIFT_JIS, "誰ですか?", "私です、ドアを開けてください。"),
        subtitle(GBK, "是谁?", "是我，快开门，外面下雨了。"),
        subtitle(BIG5, "是誰?", "是我，快開門，外面下雨了。"),
        subtitle(EUC_KR, "누구세요?", "나야, 문 열어 줘."),
        subtitle(IBM866, "Кто там?", "Это я, открой дверь."),
    ]);
}

#[test]
fn drawings() {
    let bar = |len| "─".repeat(len);
    let frame = format!("┌{0}┐\r\n│ Disk report        │\r\n│ 12 files           │\r\n└{0}┘\r\n", bar(20));
    let double = format!("╔{0}╗\r\n║ Main menu          ║\r\n║ F1 Help   F10 Exit ║\r\n╚{0}╝\r\n", "═".repeat(20));
    let tree = "C:.\r\n├───SRC\r\n│   ├───LIB\r\n│   └───TEST\r\n└───DOC\r\n";
    let comment = rows(5, |n| format!("/* {0} */\nint part_{n}(void);", bar(30)));
    check([
        little(IBM437, &frame),
        little(IBM437, &double),
        little(IBM850, tree),
        little(IBM866, &frame),
        little(IBM437, &"█".repeat(80)),
        little(IBM437, &rows(10, |n| "▒".repeat(n + 1))),
        little(GBK, &comment),
        little(SHIFT_JIS, &comment),
        little(EUC_KR, &comment),
        little(KOI8_R, &frame),
        little(GBK, &(bar(40) + "\n")),
        little(GBK, &rows(8, |n| format!("{0} {n} {0}", "★".repeat(6)))),
        little(SHIFT_JIS, "●●●\n■■■\n◆◆◆\n"),
        text(IBM866, &(frame + "Отчёт о состоянии диска и свободном месте\r\n")),
    ]);
}

#[test]
fn half_width_katakana() {
    let words = ["ｶﾀｶﾅ", "ﾊﾝｶｸ", "ﾃｽﾄ ﾃﾞｰﾀ", "ﾔﾏﾀﾞ ﾀﾛｳ", "ｱｲｳｴｵ", "ｻﾎﾟｰﾄ ｾﾝﾀｰ"];
    check_ten(words.map(|word| little(SHIFT_JIS, word)).into_iter().chain([
        little(SHIFT_JIS, &rows(100, |n| format!("{n},ﾄｳｷｮｳ"))),
        little(SHIFT_JIS, &rows(3, |n| format!("{n};ｽｽﾞｷ ｲﾁﾛｳ;ﾅｺﾞﾔ"))),
        text(SHIFT_JIS, "住所はﾄｳｷｮｳです。電話番号を教えてください。"),
        text(SHIFT_JIS, &rows(10, |n| format!("{n},山田太郎,ﾔﾏﾀﾞ ﾀﾛｳ"))),
        little(textcodec::EUC_JP, &rows(10, |n| format!("{n},ﾔﾏﾀﾞ ﾀﾛｳ"))),
        text(textcodec::EUC_JP, "住所はﾄｳｷｮｳです。電話番号を教えてください。"),
    ]));
}
