package cli

import (
	"fmt"
	"strings"
	"time"

	"dowse/engine"
	"dowse/tui"
)

// askedText is when something was asked, for people: by the day as they would say it.
func askedText(now, when time.Time) string {
	switch {
	case when.IsZero():
		return "never"
	case when.After(now.Add(time.Minute)): // by a clock that was wrong
		return when.In(now.Location()).Format("2006-01-02 15:04")
	}
	return tui.Moment(when, now)
}

// keysText says what the keys and values of conversations take in memory, and at which
// levels they are; "" where there are none.
func keysText(k engine.KeysUse) string {
	var parts []string
	if k.Memory > 0 {
		parts = append(parts, bytesText(k.Memory)+" in memory")
	}
	if levels := levelsText(k.Levels); levels != "" {
		parts = append(parts, levels)
	}
	return strings.Join(parts, ", ")
}

// levelsText counts chunks of keys and values by the bits of their numbers.
func levelsText(levels []engine.LevelUse) string {
	var parts []string
	for _, l := range levels {
		if l.Chunks > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d bits", l.Chunks, l.Bits))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "chunks: " + strings.Join(parts, ", ")
}

// contextText says which question of which conversation a result answers, and how that
// was understood; "" outside of a conversation.
func contextText(paint func(style, string) string, c *engine.ContextUse) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("%s, question %d", paint(heading, tui.Sanitize(c.Name)), c.Turn)
	if !c.Kept {
		text += paint(muted, " (not kept)")
	}
	return text + "\n" + understoodText(paint, c.Standalone)
}

// understoodText is a line that says what was searched for in the place of a question; "" if itself.
func understoodText(paint func(style, string) string, standalone string) string {
	if standalone == "" {
		return ""
	}
	return paint(muted, "searched as: "+oneLine(standalone)) + "\n"
}

// conversationText is a conversation for people: each question with its answer and the
// places that it cites, or with what was found where none was asked for.
func conversationText(paint func(style, string) string, c *engine.Conversation, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", paint(heading, tui.Sanitize(c.Name)), counted(c.Count, "question"))
	for i, t := range c.Turns {
		fmt.Fprintf(&b, "\n%d. %s %s\n", i+1, paint(hit, oneLine(t.Question)), paint(muted, "("+askedText(now, t.When)+")"))
		b.WriteString(understoodText(paint, t.Standalone))
		if t.Answer != nil && t.Answer.Text != "" {
			b.WriteString(strings.TrimSuffix(answerText(paint, t.Answer), "\n") + sourcesText(paint, t.Answer))
			continue
		}
		for _, p := range t.Passages {
			b.WriteString(placeText(paint, p.Path, p.Where, p.LineStart))
			if p.Heading != "" {
				fmt.Fprintf(&b, "  %s", paint(heading, tui.Sanitize(p.Heading)))
			}
			b.WriteByte('\n')
		}
		if len(t.Passages) == 0 {
			b.WriteString(paint(muted, "nothing was found") + "\n")
		}
	}
	return b.String()
}
