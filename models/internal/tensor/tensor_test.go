package tensor

import "testing"

func TestRows(t *testing.T) {
	for _, c := range []struct {
		shape     []int
		rows, row int
	}{
		{nil, 1, 1}, {[]int{5}, 1, 5}, {[]int{3, 5}, 3, 5}, {[]int{3, 5, 2}, 3, 10}, {[]int{0, 5}, 0, 5}, {[]int{0}, 1, 0},
	} {
		if rows, row := Rows(c.shape), Row(c.shape); rows != c.rows || row != c.row {
			t.Errorf("%v: %d rows of %d, want %d of %d", c.shape, rows, row, c.rows, c.row)
		}
	}
}

func TestDisjoint(t *testing.T) {
	for _, c := range []struct {
		extents []Extent
		want    string
	}{
		{nil, ""},
		{[]Extent{{"b", 8, 4}, {"a", 0, 8}, {"c", 20, 1}}, ""},
		{[]Extent{{"b", 7, 4}, {"a", 0, 8}}, `tensors "a" and "b" overlap`},
		{[]Extent{{"whole", 0, 8}, {"part", 0, 4}}, `tensors "part" and "whole" overlap`},
		{[]Extent{{"full", 8, 4}, {"empty", 8, 0}}, ""},
	} {
		got := ""
		if err := Disjoint(c.extents); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
