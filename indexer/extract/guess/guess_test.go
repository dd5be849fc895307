package guess

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
)

// sentences are as people write them, in each language of which texts in old encodings are about.
var sentences = map[string]string{
	"windows-1252": "Der Fußboden in der Küche ist schön geworden, nur die Tür klemmt für einige Tage. Größe: 3 m², Preis 20 €.",
	"windows-1250": "Příští týden přijede řemeslník opravit střechu a žlaby, něco se musí dodělat do zimy.",
	"ISO-8859-2":   "Łąka za domem jest podmokła, więc trzeba będzie wykopać rów i ułożyć drenaż aż do wiosny.",
	"ISO-8859-15":  "Ma sœur a payé 30 € pour l'œuvre du mois passé, où le cœur bat déjà.",
	"windows-1251": "Крыша протекает возле трубы, надо вызвать мастера до осени.",
	"KOI8-R":       "Завтра надо заменить прокладку в насосе и проверить давление воды.",
	"KOI8-U":       "Завтра треба замінити прокладку в насосі та перевірити тиск її води.",
	"IBM866":       "Список инструментов для бани: молоток, пила, рубанок и гвозди.",
	"ISO-8859-5":   "Письмо соседу о заборе и старой яблоне у дороги.",
	"windows-1253": "Η στέγη στάζει κοντά στην καμινάδα και πρέπει να έρθει ο μάστορας.",
	"windows-1254": "Çatı bacanın yanında su sızdırıyor, ustayı çağırmak için haftaya beklemeliyiz.",
	"windows-1255": "הגג דולף ליד הארובה וצריך לקרוא לבעל המקצוע לפני החורף.",
	"windows-1256": "السقف يسرب الماء قرب المدخنة ويجب أن نتصل بالعامل قبل الشتاء.",
	"windows-1257": "Stogas prie kamino praleidžia vandenį, todėl reikės pakviesti meistrą ir užlopyti skylę dar šį mėnesį.",
	"windows-874":  "หลังคารั่วใกล้ปล่องไฟ ต้องเรียกช่างมาซ่อมก่อนฤดูฝน",
	"IBM437":       "Die Küchentür schließt nicht, und das Fenster über der Spüle läßt sich kaum öffnen.",
	"IBM850":       "A instalação não está concluída: faltam três ligações à caixa e a revisão da instalação elétrica às sextas.",
	"IBM852":       "Přítel mi poslal dlouhý dopis o včelách a o tom, že příští rok staví úl ze dřeva.",
	"macintosh":    "Le déménagement a été retardé à cause de la fenêtre brisée; le propriétaire préfère réparer lui-même.",
	"Shift_JIS":    "屋根から雨漏りがしているので、来週までに修理を頼むこと。",
	"EUC-JP":       "台所の蛇口から水が漏れています。部品を注文しました。",
	"GB18030":      "厨房的水龙头漏水了，下个星期要请人来修理。",
	"Big5":         "廚房的水龍頭漏水了，下個星期要請人來修理。",
	"EUC-KR":       "부엌 수도꼭지에서 물이 새고 있어서 다음 주에 수리를 부탁해야 한다.",
}

// encodingOf returns the encoding of a name.
func encodingOf(t *testing.T, name string) encoding.Encoding {
	t.Helper()
	for _, s := range singles {
		if s.name == name {
			return s.charmap
		}
	}
	for _, d := range doubles {
		if d.name == name {
			return d.encoding
		}
	}
	t.Fatalf("no encoding %s", name)
	return nil
}

func TestEncodingsAreToldByLetters(t *testing.T) {
	for name, text := range sentences {
		data, err := encodingOf(t, name).NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, lines := range []int{1, 40} {
			all := []byte(strings.Repeat(string(data)+"\r\n", lines))
			e, guessed := Encoding(all)
			got, err := e.NewDecoder().Bytes(all)
			if want := strings.Repeat(text+"\r\n", lines); string(got) != want || err != nil {
				t.Errorf("%s is read as %s: %.200q", name, guessed, got)
			}
		}
	}
}

// TestNamesInArchives: a word or two are enough where the encodings of DOS are expected.
func TestNamesInArchives(t *testing.T) {
	for name, text := range map[string]string{
		"IBM437": "Küche/Übersicht.txt\nBäume.txt", "IBM850": "Orçamento/instalação.txt", "IBM852": "Zahrada/Žebřík a včely.txt",
		"IBM866": "Дача/Список рассады.txt", "Shift_JIS": "台所/修理の見積もり.txt",
	} {
		data, err := encodingOf(t, name).NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e, guessed := Encoding(data, OfDOS...)
		if got, err := e.NewDecoder().Bytes(data); err != nil || string(got) != text {
			t.Errorf("%s: %q of %s, %v", name, got, guessed, err)
		}
	}
}

// TestCostsOfLanguages looks at the table: each language that an encoding names has costs, which
// are shares of what it says, whole numbers of half bits.
func TestCostsOfLanguages(t *testing.T) {
	named := map[string]bool{}
	for _, s := range singles {
		for _, name := range s.languages {
			named[name] = true
		}
	}
	for _, d := range doubles {
		named[d.language] = true
	}
	for name, l := range languages() {
		sum := 0.0
		for pair, cost := range l {
			if pair[0] < 0x80 && pair[1] < 0x80 {
				t.Errorf("%s: %q says nothing", name, pair)
			}
			sum += math.Pow(2, -float64(cost)/2)
		}
		if sum < 0.6 || sum > 1.1 || !named[name] {
			t.Errorf("%s: shares of %.2f, named %v", name, sum, named[name])
		}
		delete(named, name)
	}
	if len(named) > 0 {
		t.Errorf("without costs: %v", named)
	}
}

// TestGuessesOfNoText: any bytes have some encoding, and the same one again.
func TestGuessesOfNoText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 14 {
		data := make([]byte, 1<<n-1)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		_, first := Encoding(data)
		if _, again := Encoding(data); first != again {
			t.Errorf("%d bytes are %s, then %s", len(data), first, again)
		}
	}
}
