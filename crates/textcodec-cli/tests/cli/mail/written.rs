//! Mails that are written together with what they must become.

use textcodec::{Alias, Encoding};

/// Charsets as mails have them, with a text.
pub(crate) const TEXTS: [(&str, &str); 14] = [
    ("koi8-r", "Здравствуйте! Чай готов, приходите в гости.\n"),
    ("ISO-8859-1", "Grüße aus Köln, der Tee ist fertig — nein, noch nicht.\n"),
    ("windows-1251", "Добрый вечер, это письмо о чае.\n"),
    ("iso-8859-2", "Zażółć gęślą jaźń, herbata gotowa.\n"),
    ("shift_jis", "お茶が入りました。表示と予定\n"),
    ("EUC-JP", "お茶が入りました。\n"),
    ("gb2312", "茶已经准备好了，请来做客。\n"),
    ("big5", "茶已經準備好了，許功蓋。\n"),
    ("euc-kr", "차가 준비되었습니다.\n"),
    ("iso-8859-7", "Το τσάι είναι έτοιμο.\n"),
    ("gb18030", "茶已经准备好了。\n"),
    ("cp850", "Où est le thé ? Là-bas, à gauche.\n"),
    ("windows-1255", "התה מוכן\n"),
    ("utf-8", "Чай, tea, thé, お茶\n"),
];

pub(crate) fn charset(label: &str) -> Encoding {
    Encoding::for_label(label).or_else(|| Some(Alias::for_name(label)?.encoding)).unwrap()
}

pub(crate) fn encoded(label: &str, text: &str) -> Vec<u8> {
    let text = if label == "ISO-8859-1" { text.replace('—', "-") } else { text.to_owned() };
    charset(label).encode(&text).unwrap().into_owned()
}

/// A mail before and after its conversion to UTF-8.
#[derive(Clone, Default)]
pub(crate) struct Mail {
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    crlf: bool,
}

impl Mail {
    pub(crate) fn new(crlf: bool) -> Self {
        Self { crlf, ..Self::default() }
    }

    fn lines(&self, bytes: &[u8]) -> Vec<u8> {
        let newline: &[u8] = if self.crlf { b"\r\n" } else { b"\n" };
        bytes.split_inclusive(|&byte| byte == b'\n').fold(Vec::new(), |mut all, line| {
            all.extend(line.strip_suffix(b"\n").unwrap_or(line));
            all.extend(if line.ends_with(b"\n") { newline } else { b"" });
            all
        })
    }

    /// Adds what must not change.
    pub(crate) fn fixed(mut self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = self.lines(bytes.as_ref());
        self.before.extend(&bytes);
        self.after.extend(&bytes);
        self
    }

    /// Adds text that is converted.
    pub(crate) fn text(mut self, label: &str, text: &str) -> Self {
        let before = self.lines(&encoded(label, text));
        let after = self.lines(charset(label).decode(&encoded(label, text)).text.as_bytes());
        self.before.extend(before);
        self.after.extend(after);
        self
    }

    /// Adds a charset that is corrected.
    pub(crate) fn label(mut self, label: &str) -> Self {
        self.before.extend(label.as_bytes());
        let is_upper = label.chars().any(|c| c.is_ascii_uppercase());
        let is_right = charset(label) == textcodec::UTF_8;
        self.after.extend(match (is_right, is_upper) {
            (true, _) => label.as_bytes(),
            (false, true) => b"UTF-8",
            (false, false) => b"utf-8",
        });
        self
    }

    /// Adds a part with 8 bits.
    pub(crate) fn part(self, n: usize) -> Self {
        let (label, text) = TEXTS[n % TEXTS.len()];
        let header = match n / 3 % 4 {
            0 => "Content-Type: text/plain; charset=",
            1 => "Content-Transfer-Encoding: 8bit\nContent-Type: text/html;\n charset=",
            2 => "X-Note: charset=nothing\ncontent-type: TEXT/plain; name=\"a; charset=b\"; Charset = ",
            _ => "Content-Type: text/plain;\n\tformat=flowed; charset=",
        };
        self.fixed(header).label(label).fixed("\nContent-Disposition: inline\n\n").text(label, text)
    }

    /// Adds a part whose bytes are ASCII, or belong to no charset.
    pub(crate) fn other_part(self, n: usize) -> Self {
        self.fixed(match n % 6 {
            0 => &b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n8NLJ18XU\n"[..],
            1 => b"Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: Quoted-Printable\n\nGr=FC=DFe\n",
            2 => b"Content-Type: application/octet-stream\nContent-Transfer-Encoding: 8bit\n\n\x80\xFF\x00\xC3\xA9 charset=koi8-r\n",
            3 => b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1B$B$*Cc\x1B(B\n",
            4 => b"Content-Type: text/plain; charset=koi8-r\n\nonly ASCII\n",
            _ => b"\nno header\n",
        })
    }
}

/// Adds a random part, which may have others.
pub(crate) fn random_part(mail: Mail, depth: usize, random: &mut dyn FnMut(usize) -> usize) -> Mail {
    match random(if depth < 4 { 9 } else { 6 }) {
        0..4 => mail.part(random(100)),
        4 | 5 => mail.other_part(random(5)),
        6 => random_part(mail.fixed("Content-Type: message/rfc822\n\nSubject: inner\n"), depth + 1, random),
        _ => {
            let boundary = format!("b{depth}-{}", random(1000));
            let mut mail = mail.fixed(format!("Content-Type: multipart/mixed;\n boundary={boundary}\n\npreamble\n"));
            for _ in 0..random(4) {
                mail = random_part(mail.fixed(format!("--{boundary}\n")), depth + 1, random);
            }
            if random(5) > 0 { mail.fixed(format!("--{boundary}--\n")) } else { mail }
        }
    }
}
