package markup_test

import (
	"slices"
	"testing"
	"time"

	"dowse/internal/testextract"
)

const asciidoc = `= The roof
Ann Lee <ann@example.org>
v1.0, 2024-05-06
:keywords: house, repairs

// nobody reads this
See https://example.org/tiles[the tiles^] and <<costs,what it costs>>, xref:how/work.adoc#may[how it goes on], xref:who.adoc[], *soon*.

[[costs]]
== Costs

.What was paid
[cols="1,1"]
|===
|Item |Price

|tiles
|800

|work |_1200_
and what the ladder
costs

2+|paint |40
or less
|===

. call Ann
.. before May
* [x] paid

[source,go]
----
= no heading
a[0] = 1
----

////
left out
////
include::other.adoc[]
The end
`

func TestASCIIDoc(t *testing.T) {
	d := testextract.Read(t, "roof.adoc", asciidoc)
	check(t, d, "# The roof\n\nSee the tiles https://example.org/tiles and what it costs, how it goes on, who.adoc, soon.\n\n## Costs\n\nWhat was paid\n\n"+
		"Item: tiles; Price: 800\nItem: work; Price: 1200 and what the ladder costs\nItem: paint; Price: 40 or less\n\n- call Ann\n  - before May\n- paid\n\n"+
		"```go\n= no heading\na[0] = 1\n```\n\nThe end",
		nil, map[string]int{"See": 7, "Costs": 10, "tiles; Price": 17, "work": 20, "paint": 24, "call": 28, "= no": 34, "The end": 42})
	if m := d.Meta; m.Title != "The roof" || !slices.Equal(m.Authors, []string{"Ann Lee <ann@example.org>"}) ||
		!slices.Equal(m.Tags, []string{"house", "repairs"}) || !m.Date.Equal(time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", m)
	}
}
