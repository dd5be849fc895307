package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/dustin/go-humanize"

	"dowse/engine"
)

func count(n int) string { return humanize.Comma(int64(n)) }

// counted writes n with its noun in the right number.
func counted(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return count(n) + " " + noun
}

func size(bytes int64) string { return humanize.Bytes(uint64(max(bytes, 0))) }

// millis writes milliseconds with two or three significant digits.
func millis(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	default:
		return fmt.Sprintf("%.1f s", ms/1000)
	}
}

// span writes a duration coarsely.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return "1 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
}

// counts lists how often files were left out for which reason, as
// engine.SkipReasons orders them.
func counts(m map[string]int) string {
	var parts []string
	for _, name := range engine.SkipReasons(m) {
		if m[name] > 0 {
			parts = append(parts, sanitize(name)+" "+count(m[name]))
		}
	}
	return strings.Join(parts, ", ")
}

func total(m map[string]int) int {
	sum := 0
	for _, n := range m {
		sum += n
	}
	return sum
}

// eighths fill a cell from the left.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar draws a share of 0 to 1 as a bar of w cells.
func bar(share float64, w int, full, rest lipgloss.Style) string {
	filled := int(min(max(share, 0), 1)*float64(w)*8 + 0.5)
	done := strings.Repeat("█", filled/8) + eighths[filled%8]
	left := w - width(done)
	if left <= 0 {
		return full.Render(done)
	}
	return full.Render(done) + rest.Render(strings.Repeat("·", left))
}

// heights fill a cell from below.
var heights = []rune("▁▂▃▄▅▆▇█")

// sparkline draws the last w values relative to the largest.
func sparkline(values []int64, w int) string {
	if len(values) > w {
		values = values[len(values)-w:]
	}
	var top int64 = 1
	for _, v := range values {
		top = max(top, v)
	}
	var out strings.Builder
	for _, v := range values {
		step := max(v, 0) * int64(len(heights)-1) / top
		out.WriteRune(heights[step])
	}
	return out.String()
}

// Moment writes a time as seen from now.
func Moment(t, now time.Time) string {
	t = t.In(now.Location())
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()) }
	switch days := int(math.Round(day(now).Sub(day(t)).Hours() / 24)); {
	case t.IsZero():
		return ""
	case days == 0:
		return "today " + t.Format("15:04")
	case days == 1:
		return "yesterday " + t.Format("15:04")
	case days > 1 && days < 7:
		return t.Format("Monday 15:04")
	}
	return t.Format("2006-01-02 15:04")
}
