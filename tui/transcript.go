package tui

import (
	"strconv"
	"time"

	"dowse/engine"
)

const (
	questionMark  = "❯ "
	replyIndent   = 2
	placeIndent   = 4
	maxTurnRows   = 2 * maxAnswerRows
	minPlaceCells = 12
)

// turnView is a turn as it is drawn.
type turnView struct {
	question, reply, foot prose
	places                []turnPlace
}

// turnPlace is a place that an answer cites or, where it cites nothing, a found
// passage.
type turnPlace struct {
	n       int // the passage's number in the answer
	passage engine.Passage
	where   engine.Where // start of the citation, or else of the passage
	lines   lineSpan     // cited lines; empty where none are
}

// newTurnView lays out a turn; one that is not done is being answered.
func newTurnView(t engine.Turn, done bool, now time.Time, s styles) turnView {
	v := turnView{question: prose{styles: s}, reply: prose{styles: s}, foot: prose{styles: s}}
	v.question.clear()
	v.question.put(questionMark, s.accent)
	v.question.put(flattenMarked(t.Question, nil).text, s.name)
	v.reply.clear()
	if t.Standalone != "" && t.Standalone != t.Question {
		v.reply.put("searched as: "+flattenMarked(t.Standalone, nil).text+"\n", s.faint)
	}
	switch {
	case t.Answer != nil:
		v.reply.putReply(t.Answer, done)
		if done && len(t.Passages) > 0 && len(cites(t.Answer)) == 0 {
			v.reply.put("\nWhat was found:", s.soft)
		}
	case done:
		v.reply.put("What was found, without an answer:", s.soft)
	default:
		v.reply.putReply(&engine.Answer{}, false)
	}
	v.foot.clear()
	if done {
		v.foot.put(turnFacts(t, now), s.faint)
	}
	v.places = placesOf(t)
	return v
}

func newTurnViews(turns []engine.Turn, now time.Time, s styles) []turnView {
	views := make([]turnView, len(turns))
	for i, t := range turns {
		views[i] = newTurnView(t, true, now, s)
	}
	return views
}

// turnFacts says when and how a turn was answered.
func turnFacts(t engine.Turn, now time.Time) string {
	facts := Moment(t.When, now)
	if t.Answer == nil {
		return facts
	}
	for _, fact := range howAnswered(t.Answer) {
		facts += " · " + fact
	}
	return facts
}

// howAnswered says who answered, how long it took, and how much of the
// conversation was reused.
func howAnswered(a *engine.Answer) []string {
	var facts []string
	switch {
	case a.Declined, a.How == "", a.Problem != "" && a.Text == "":
	case a.How == engine.Extracted:
		facts = append(facts, "word for word")
	default:
		facts = append(facts, sanitize(a.How))
	}
	if a.Millis > 0 {
		facts = append(facts, millis(a.Millis))
	}
	if went := continuation(a.Generation); went != "" {
		facts = append(facts, went)
	}
	if a.Doubtful() {
		facts = append(facts, engine.DoubtMark+" unsupported")
	}
	return facts
}

// placesOf lists an answer's citations by first mention, or else the found
// passages.
func placesOf(t engine.Turn) []turnPlace {
	byRank := make(map[int]engine.Passage, len(t.Passages))
	var all []turnPlace
	for _, p := range t.Passages {
		passage := engine.Passage{
			Rank: p.Rank, Path: p.Path, LineStart: p.LineStart, LineEnd: p.LineEnd, Where: p.Where, Heading: p.Heading, Text: p.Text,
		}
		byRank[p.Rank] = passage
		all = append(all, turnPlace{n: p.Rank, passage: passage, where: p.Where})
	}
	var cited []turnPlace
	seen := map[[2]int]bool{}
	for _, c := range cites(t.Answer) {
		passage, ok := byRank[c.N]
		if !ok {
			passage = engine.Passage{Rank: c.N, Path: c.Path, LineStart: c.LineStart, LineEnd: c.LineEnd, Where: c.Where, Text: c.Text}
		}
		if at := [2]int{c.N, c.LineStart}; passage.Path != "" && !seen[at] {
			seen[at] = true
			cited = append(cited, turnPlace{c.N, passage, c.Where, lineSpan{c.LineStart, c.LineEnd}})
		}
	}
	if len(cited) > 0 {
		return cited
	}
	return all
}

// cites lists an answer's citations by first mention.
func cites(a *engine.Answer) []engine.AnswerCitation {
	switch {
	case a == nil:
		return nil
	case a.Quotation != nil:
		return a.Quotation.Citations
	}
	return a.Citations
}

func (p turnPlace) line() int {
	if p.lines.first > p.passage.LineStart && p.lines.first <= p.passage.LineEnd {
		return p.lines.first
	}
	return p.passage.LineStart
}

// draw draws the place's number, path, line and heading in w cells.
func (p turnPlace) draw(chosen bool, n *names, w int, s styles) string {
	mark, name := " ", s.name
	if chosen {
		mark, name = s.accent.Render("▌"), s.chosen
	}
	number := pad("["+strconv.Itoa(p.n)+"]", 4)
	line := whereText(p.where, p.line(), w)
	left := mark + blanks(placeIndent-1) + s.accent.Render(number) + " "
	room := max(w-width(left)-1, minPlaceCells)
	heading := lastHeading(p.passage.Heading)
	short := n.short(p.passage.Path, room-width(line))
	left += drawPlace(short, line, name, s)
	if heading != "" && room-width(short)-width(line)-width(headingMark) >= minHeading {
		left += s.line.Render(headingMark) + s.soft.Render(heading)
	}
	return fit(left, w)
}
