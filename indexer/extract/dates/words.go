package dates

import (
	"strings"
	"time"
	"unicode/utf8"
)

// months are the names of each month, and what they are shortened to.
var months = monthNumbers(
	"january jan januar jänner jaenner janvier janv enero ene gennaio gen januari janeiro",
	"february feb februar feber février févr fevr febrero febbraio februari fevereiro fev",
	"march mar märz maerz mrz mars marzo maart mrt março marco",
	"april apr avril avr abril abr aprile",
	"may mai mayo maggio mag mei maio",
	"june jun juni juin junio giugno giu junho",
	"july jul juli juillet juil julio luglio lug julho",
	"august aug août aout agosto ago augustus",
	"september sep sept septembre septiembre settembre set setembro",
	"october oct oktober okt octobre octubre ottobre ott outubro out",
	"november nov novembre noviembre novembro",
	"december dec dezember dez décembre déc diciembre dic dicembre dezembro",
)

// weekdays are the names of each day of the week from Sunday on, and what they are shortened to.
var weekdays = weekdayNumbers(
	"sunday sun sonntag so dimanche dim domingo dom domenica zondag zo",
	"monday mon montag mo lundi lun lunes lunedì maandag ma segunda segunda-feira",
	"tuesday tue tues dienstag di mardi mar martes martedì dinsdag terça terça-feira",
	"wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì woensdag wo quarta quarta-feira",
	"thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio donderdag quinta quinta-feira",
	"friday fri freitag fr vendredi ven viernes vie venerdì vrijdag vr sexta sexta-feira",
	"saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sab zaterdag za",
)

func monthNumbers(names ...string) map[string]time.Month {
	known := map[string]time.Month{}
	for i, list := range names {
		for _, name := range strings.Fields(list) {
			known[name] = time.Month(i + 1)
		}
	}
	return known
}

func weekdayNumbers(names ...string) map[string]time.Weekday {
	known := map[string]time.Weekday{}
	for i, list := range names {
		for _, name := range strings.Fields(list) {
			known[name] = time.Weekday(i)
		}
	}
	return known
}

// maxWord is the length of the longest name, in bytes, and more.
const maxWord = 20

// word returns the letters that a text begins with, in small letters, and the text behind them with the dot
// of a word that is shortened.
func word(text string) (name, rest string) {
	n := 0
	for n < len(text) && n <= maxWord {
		if c := text[n]; c >= utf8.RuneSelf || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' && n > 0 {
			n++
			continue
		}
		break
	}
	if n == 0 || n > maxWord {
		return "", text
	}
	for name = text[:n]; strings.HasSuffix(name, "-"); name = text[:n] { // of 5-May-2025
		n--
	}
	if months[strings.ToLower(name)] == 0 && strings.Contains(name, "-") && !isWeekday(name) {
		name, _, _ = strings.Cut(name, "-")
	}
	return strings.ToLower(name), strings.TrimPrefix(text[len(name):], ".")
}

func isWeekday(name string) bool {
	_, is := weekdays[strings.ToLower(name)]
	return is
}
