package engine

import (
	"slices"
	"testing"
	"time"
)

func TestPassagesKeepTheirNumbersInLaterTurns(t *testing.T) {
	earlier := []Turn{
		{Passages: []TurnPassage{{N: 1, Path: "/a", Text: "x"}, {N: 2, Path: "/b", Text: "y"}, {N: 3, Path: "/b", Text: "y", LineStart: 9}}},
		{Passages: []TurnPassage{{N: 2, Path: "/b", Text: "y"}, {N: 4, Path: "/c", Text: "z"}}},
	}
	got := NumberPassages(earlier, []TurnPassage{
		{Path: "/d", Text: "x"},               // the text of another file
		{Path: "/b", Text: "y", LineStart: 4}, // moved
		{Path: "/b", Text: "y", LineStart: 9}, // the same once more in that file
		{Path: "/b", Text: "y", LineStart: 12},
		{Path: "/c", Text: "z, edited"},
		{Path: "/a", Text: "x"},
	})
	if want := []int{5, 2, 3, 6, 7, 1}; !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
	if got := NumberPassages(nil, []TurnPassage{{Path: "/a"}, {Path: "/b"}}); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("of a first turn: %v", got)
	}
}

func TestATurnHasThePassagesThatAnAnswerIsMadeFrom(t *testing.T) {
	result := &Result{Answer: &Answer{Text: "so"}, Context: &ContextUse{Standalone: "why so?"}}
	for rank := 1; rank <= AnswerPassages+3; rank++ {
		p := Passage{Rank: rank, Path: "/a", Text: "x", LineStart: rank}
		if rank == 2 {
			p.SimilarTo = 1
		}
		result.Passages = append(result.Passages, p)
	}
	turn := MakeTurn("why?", result, time.Unix(1, 0))
	var ranks []int
	for _, p := range turn.Passages {
		ranks = append(ranks, p.Rank)
	}
	if want := []int{1, 3, 4, 5, 6}; !slices.Equal(ranks, want) {
		t.Errorf("passages of ranks %v, want %v", ranks, want)
	}
	if turn.Answer != result.Answer || turn.Question != "why?" || turn.Standalone != "why so?" {
		t.Errorf("turn %+v", turn)
	}
}
