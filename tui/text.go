package tui

import (
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// width returns the cells of s; escape codes take none.
func width(s string) int { return ansi.StringWidth(s) }

// fit cuts s, styled or not, to w cells, ending in … where it cut.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return ansi.Truncate(s, w, ellipsis)
}

func pad(s string, w int) string {
	s = fit(s, w)
	return s + blanks(w-width(s))
}

// padLeft fits s into exactly w cells, aligned right.
func padLeft(s string, w int) string {
	s = fit(s, w)
	return blanks(w-width(s)) + s
}

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// block pads lines to exactly h lines of exactly w cells.
func block(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = pad(lines[i], w)
		} else {
			out[i] = blanks(w)
		}
	}
	return out
}

// spread puts left and right on one line of w cells; right gives way first.
func spread(left, right string, w int) string {
	gap := w - width(left) - width(right)
	if gap < 2 && right != "" {
		return pad(left, w)
	}
	return left + blanks(gap) + right
}

// truncateMiddle cuts plain text to w cells, keeping both ends.
func truncateMiddle(s string, w int) string {
	total := width(s)
	switch {
	case total <= w:
		return s
	case w <= 1:
		return fit(s, w)
	}
	tail := (w - 1) / 2
	head := ansi.Truncate(s, w-1-tail, "")
	return head + ellipsis + ansi.TruncateLeft(s, total-tail, "")
}

// shortenPath sanitizes path and fits it into w cells: the home folder becomes
// ~, middle folders become …, and the file's name is cut last.
func shortenPath(path, home string, w int) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && home != "/" &&
		(rest == "" || rest[0] == filepath.Separator) {
		path = "~" + rest
	}
	path = sanitize(path)
	if width(path) <= w {
		return path
	}
	parts := strings.Split(path, string(filepath.Separator))
	if len(parts) < 2 {
		return truncateMiddle(path, w)
	}
	for first := 2; first < len(parts); first++ {
		short := parts[0] + "/…/" + strings.Join(parts[first:], "/")
		if width(short) <= w {
			return short
		}
	}
	name := parts[len(parts)-1]
	if short := "…/" + name; width(short) <= w {
		return short
	}
	return truncateMiddle(name, w)
}

// textRange is a half-open range of bytes.
type textRange struct{ start, end int }

// wrap breaks plain text into at most maxLines lines of at most w cells: at a
// space, unless much of the line would stay empty, as before a link or a path;
// then between graphemes. more reports whether text was left over.
func wrap(text string, w, maxLines int) (lines []textRange, more bool) {
	if w <= 0 {
		return nil, text != ""
	}
	start, space, cells, cellsAtSpace := 0, -1, 0, 0
	for i := 0; i < len(text); {
		cluster, cellsHere := ansi.FirstGraphemeCluster(text[i:], ansi.GraphemeWidth)
		if cells+cellsHere > w && i > start {
			end, next := i, i
			switch {
			case cluster == " ":
				next = i + 1
				cells = -cellsHere
			case space > start && cellsAtSpace*5 > w*3:
				end, next = space, space+1
				cells -= cellsAtSpace
			default:
				cells = 0
			}
			if lines = append(lines, textRange{start, end}); len(lines) == maxLines {
				return lines, strings.TrimSpace(text[next:]) != ""
			}
			start, space = next, -1
		}
		cells += cellsHere
		if cluster == " " && i >= start {
			space, cellsAtSpace = i, cells
		}
		i += len(cluster)
	}
	if start < len(text) || len(lines) == 0 {
		lines = append(lines, textRange{start, len(text)})
	}
	return lines, false
}
