package complete

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/search/snapshot"
	"dowse/internal/fold"
	"dowse/store"
)

// distinct sorts ids and drops those that are there twice.
func distinct(ids []uint32) []uint32 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// tags lists the tags, those too that only have others below them: garden/roses is found
// by garden.
func (v *values) tags(ctx context.Context, tx *store.Tx) ([]value, error) {
	files := map[string][]uint32{} // by the tag as it is folded
	written := map[string]string{} // the first way in which it is written, in small letters
	add := func(tag string, of []uint32) {
		folded := fold.String(tag)
		if files[folded] == nil {
			written[folded] = tag
		}
		files[folded] = append(files[folded], of...)
	}
	err := tx.Marks(store.TagMark, func(tag string, of []uint32) error {
		for i := range len(tag) {
			if tag[i] == '/' && i > 0 {
				add(tag[:i], of)
			}
		}
		add(tag, of)
		return ctx.Err()
	})
	var list []value
	for folded, of := range files {
		of = distinct(of)
		if n := v.ids.count(of); n > 0 {
			list = append(list, value{insert: written[folded], folded: folded, files: n, file: of[len(of)-1], looks: true})
		}
	}
	return list, err
}

// person is somebody who wrote or got something, under one address or one name.
type person struct {
	by    string
	names []string // as marks have them, the one of most files first
	most  int
	last  uint32 // file that has the first of the names
	files []uint32
}

// people lists those who wrote or got something. One address is one person, whatever names
// stand before it.
func (v *values) people(ctx context.Context, tx *store.Tx, kind store.Mark) ([]value, error) {
	all := map[string]*person{}
	err := tx.Marks(kind, func(name string, files []uint32) error {
		by := name
		if address := engine.AddressOf(name); address != "" {
			by = address
		}
		p := all[fold.String(by)]
		if p == nil {
			p = &person{by: by}
			all[fold.String(by)] = p
		}
		if p.names = append(p.names, name); len(files) > p.most {
			p.most, p.last = len(files), files[len(files)-1]
			last := len(p.names) - 1
			p.names[0], p.names[last] = p.names[last], p.names[0]
		}
		p.files = append(p.files, files...)
		return ctx.Err()
	})
	var list []value
	for _, p := range all {
		if n := v.ids.count(distinct(p.files)); n > 0 {
			list = append(list, value{insert: p.by, folded: strings.Join(snapshot.FoldAll(p.names), "\n"), label: p.names[0], files: n, file: p.last, looks: true})
		}
	}
	return list, err
}

// titles lists those that documents give themselves.
func (v *values) titles(ctx context.Context, tx *store.Tx) ([]value, error) {
	at := map[string]int{}
	var list []value
	err := tx.EachFacts(func(file uint32, f store.Facts) error {
		if f.Title == "" || v.ids.count([]uint32{file}) == 0 {
			return nil
		}
		folded := fold.String(f.Title)
		if i, known := at[folded]; known {
			list[i].files++
			return nil
		}
		at[folded] = len(list)
		list = append(list, value{insert: f.Title, folded: folded, files: 1})
		return ctx.Err()
	})
	return list, err
}

// dateForms are the values of after: and before: that are suggested before the years.
var dateForms = []struct{ form, means string }{
	{"today", ""}, {"yesterday", ""}, {"7d", "seven days ago"}, {"1m", "a month ago"}, {"1y", "a year ago"},
}

// units are what may stand behind the number of an age.
var units = []struct{ unit, means string }{{"d", "days"}, {"w", "weeks"}, {"m", "months"}, {"y", "years"}, {"h", "hours"}}

// dates returns the values that after: or before: may have, in the order in which they are
// shown, each with the number of files that it leaves.
func dates(t engine.Typing, all []*values, now time.Time) (list []value) {
	since := (t.Key == "after") != t.Negated
	add := func(form, means string) {
		if !strings.HasPrefix(form, t.Text) {
			return
		}
		q, err := engine.Parse("after:"+form, now)
		if err != nil {
			return
		}
		v := value{insert: form, detail: means, order: len(list)}
		for _, of := range all {
			n, _ := slices.BinarySearch(of.times, snapshot.UnixNano(q.After))
			if since {
				n = len(of.times) - n
			}
			v.files += n
		}
		list = append(list, v)
	}
	if t.Text == "" || t.Text[0] > '9' {
		for _, f := range dateForms {
			add(f.form, f.means)
		}
	}
	if isNumber(t.Text) && len(t.Text) < 4 {
		for _, u := range units {
			add(t.Text+u.unit, t.Text+" "+u.means+" ago")
		}
	} else if n := len(t.Text); n > 1 && isNumber(t.Text[:n-1]) {
		add(t.Text, "")
	}
	for _, form := range calendar(t.Text, all, now.Location()) {
		add(form, "")
	}
	return list
}

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// calendar returns the years that files are of, the months of a year that is typed, and the
// days of a month, the latest first.
func calendar(typed string, all []*values, zone *time.Location) (forms []string) {
	layout := "2006"
	switch {
	case len(typed) >= len("2026-11-"):
		layout = "2006-01-02"
	case len(typed) >= len("2026"):
		layout = "2006-01"
	}
	at, ok := latest(all, math.MaxInt64)
	for looked := 0; ok && looked < maxCalendar; looked++ {
		form := time.Unix(0, at).In(zone).Format(layout)
		if strings.HasPrefix(form, typed) {
			forms = append(forms, form)
		} else if form < typed {
			break // and so are all before
		}
		begin, err := time.ParseInLocation(layout, form, zone)
		if err != nil {
			break // a year that the syntax has no way to write
		}
		at, ok = latest(all, snapshot.UnixNano(begin))
	}
	return forms
}

// maxCalendar is how many years, months or days with files are looked at: those of a
// century, day by day.
const maxCalendar = 36_600

// latest returns the last time of a file that is before a moment.
func latest(all []*values, before int64) (at int64, ok bool) {
	for _, v := range all {
		if i, _ := slices.BinarySearch(v.times, before); i > 0 && (!ok || v.times[i-1] > at) {
			at, ok = v.times[i-1], true
		}
	}
	return at, ok
}
