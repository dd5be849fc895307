"""Writes messages with odd encodings into a folder: odd.py FOLDER COUNT. The same count gives
the same messages."""
import base64, email.header, os, quopri, random, sys

TEXTS = {
    "en": ("The roof of the old house leaks near the chimney and the tiles must be replaced before winter.", ["us-ascii", "utf-8", "iso-8859-1", "utf-7", "cp1252", "utf-16"]),
    "de": ("Die Rechnung für die größeren Dächer kommt nächste Woche, schöne Grüße aus Köln.", ["utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "cp850", "cp437", "macintosh", "utf-7", "latin-1"]),
    "fr": ("Le garçon a mangé des pêches à côté de la forêt pendant l'été dernier.", ["utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "cp850", "utf-7"]),
    "pl": ("Zażółć gęślą jaźń, proszę przynieść książkę jutro do szkoły.", ["utf-8", "iso-8859-2", "windows-1250", "cp852"]),
    "cs": ("Příliš žluťoučký kůň úpěl ďábelské ódy na střeše domu.", ["utf-8", "iso-8859-2", "windows-1250", "cp852"]),
    "ru": ("Крыша старого дома протекает возле трубы, нужно заменить черепицу до зимы.", ["utf-8", "koi8-r", "windows-1251", "iso-8859-5", "cp866"]),
    "uk": ("Їжак приніс яблука до нашої хати, ґанок треба полагодити.", ["utf-8", "koi8-u", "windows-1251"]),
    "el": ("Η στέγη του παλιού σπιτιού στάζει κοντά στην καμινάδα.", ["utf-8", "iso-8859-7", "windows-1253"]),
    "tr": ("Eski evin çatısı akıyor, kiremitler kıştan önce değişmeli, teşekkürler.", ["utf-8", "iso-8859-9", "windows-1254"]),
    "he": ("הגג של הבית הישן דולף ליד הארובה ויש להחליף את הרעפים.", ["utf-8", "iso-8859-8", "windows-1255"]),
    "ar": ("سقف البيت القديم يتسرب بالقرب من المدخنة ويجب استبداله قبل الشتاء", ["utf-8", "iso-8859-6", "windows-1256"]),
    "ja": ("古い家の屋根が煙突の近くで雨漏りしています。カタカナもあります。", ["utf-8", "iso-2022-jp", "shift_jis", "euc-jp", "utf-16", "cp932"]),
    "zh": ("老房子的屋顶在烟囱附近漏水，必须在冬天之前更换瓦片。", ["utf-8", "gb2312", "gbk", "gb18030", "hz-gb-2312", "utf-7"]),
    "tw": ("老房子的屋頂在煙囪附近漏水，必須在冬天之前更換瓦片。", ["utf-8", "big5", "big5-hkscs"]),
    "ko": ("오래된 집의 지붕이 굴뚝 근처에서 새고 있으니 겨울 전에 기와를 바꿔야 합니다.", ["utf-8", "euc-kr", "iso-2022-kr", "ks_c_5601-1987", "cp949"]),
    "lv": ("Vecās mājas jumts tek pie skursteņa, dakstiņi jānomaina pirms ziemas.", ["utf-8", "windows-1257", "iso-8859-13", "iso-8859-4"]),
    "vi": ("Mái nhà cũ bị dột gần ống khói, phải thay ngói trước mùa đông.", ["utf-8", "utf-7"]),
    "th": ("หลังคาบ้านเก่ารั่วใกล้ปล่องไฟ", ["utf-8", "tis-620", "cp874"]),
}
CODEC = {"x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman", "hz-gb-2312": "hz"}


def encoded(rng, text):
    """Returns a charset, its bytes of text under a transfer encoding, and the name of that."""
    lang = next(k for k, v in TEXTS.items() if v[0] == text)
    charset = rng.choice(TEXTS[lang][1])
    body = "\n".join(" ".join([text] * rng.randint(1, 2)) for _ in range(rng.randint(1, 6))) + "\n"
    raw = body.encode(CODEC.get(charset, charset))
    plain = [] if charset.startswith("utf-16") else ["8bit", "7bit", "binary", ""]
    transfer = rng.choice(["base64", "quoted-printable", "BASE64", "Quoted-Printable"] + plain)
    if transfer.lower() == "base64":
        raw = base64.encodebytes(raw)
    elif transfer.lower().strip() == "quoted-printable":
        raw = quopri.encodestring(raw)
    return charset, raw, transfer


def leaf(rng, text, kind="text/plain", extra=""):
    if kind == "text/html":
        lang = next(k for k, v in TEXTS.items() if v[0] == text)
        charset = rng.choice([c for c in TEXTS[lang][1] if not c.startswith("utf-16")])
        page = f"<html><body><h1>{text}</h1><p>{text}<br>{text}</p><script>not read</script></body></html>\n"
        raw, transfer = base64.encodebytes(page.encode(CODEC.get(charset, charset))), "base64"
    else:
        charset, raw, transfer = encoded(rng, text)
    name = rng.choice([charset, f'"{charset}"', charset.upper()])
    head = f"Content-Type: {kind}; charset={name}{extra}\n"
    if transfer:
        head += f"Content-Transfer-Encoding: {transfer}\n"
    return head.encode() + b"\n" + raw


def multi(rng, kind, parts):
    boundary = rng.choice(["=_x", "a b", "----=_Part_1", "b'()+_,-./:=?"]) + str(rng.randint(0, 10**9))
    out = f'Content-Type: multipart/{kind};\n\tboundary="{boundary}"\n\nThis is multipart.\n'.encode()
    for p in parts:
        out += f"--{boundary}\n".encode() + p + b"\n"
    return out + (f"--{boundary}--\n".encode() if rng.random() < 0.8 else b"")


def message(rng):
    text = rng.choice(list(TEXTS.values()))[0]
    other = rng.choice(list(TEXTS.values()))[0]
    subject = " ".join(text.split()[:6])[:60]
    lang = next(k for k, v in TEXTS.items() if v[0] == text)
    charset = rng.choice([c for c in TEXTS[lang][1] if c not in ("utf-16", "utf-7", "hz-gb-2312", "iso-2022-kr", "x-mac-cyrillic", "macintosh", "cp874", "cp949", "cp932", "latin-1")])
    word = email.header.Header(subject, charset, maxlinelen=rng.choice([40, 76])).encode()
    head = f"From: {email.header.Header(other[:12], 'utf-8').encode()} <a{rng.randint(1, 99)}@example.org>\nTo: b@example.org\nSubject: {word}\nDate: Mon, {rng.randint(1, 28)} Jan 2024 10:00:00 +0000\nMIME-Version: 1.0\n"
    shape = rng.randint(0, 6)
    if shape <= 1:
        body = leaf(rng, text)
    elif shape == 2:
        body = leaf(rng, text, "text/html")
    elif shape == 3:
        body = multi(rng, "alternative", [leaf(rng, text), leaf(rng, text, "text/html")])
    elif shape == 4:
        body = multi(rng, "mixed", [leaf(rng, text), leaf(rng, other, extra='; name="a.txt"')])
    elif shape == 5:
        inner = f"From: c@example.org\nSubject: inner\n".encode() + leaf(rng, other)
        body = multi(rng, "mixed", [leaf(rng, text), b"Content-Type: message/rfc822\n\n" + inner])
    else:
        body = multi(rng, "mixed", [multi(rng, "alternative", [leaf(rng, text), leaf(rng, text, "text/html")]), leaf(rng, other)])
    data = head.encode() + body
    return data.replace(b"\n", b"\r\n") if rng.random() < 0.5 and b"utf-16" not in data.lower() else data


folder, count = sys.argv[1], int(sys.argv[2])
os.makedirs(folder, exist_ok=True)
rng = random.Random(21)
for i in range(count):
    with open(os.path.join(folder, f"odd-{i:04}.eml"), "wb") as f:
        f.write(message(rng))
