package markup_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

const graph = `<mxGraphModel dx="800" dy="600"><root><mxCell id="0"/><mxCell id="1" parent="0"/>` +
	`<mxCell id="2" value="Harbour &lt;b&gt;master&lt;/b&gt;&lt;br&gt;on duty" style="rounded=1" vertex="1" parent="1"><mxGeometry x="40" y="40" width="120"/></mxCell>` +
	`<UserObject label="Lock 3 &amp;amp; sluice" tooltip="closed in winter" id="3"><mxCell style="shape=box" vertex="1" parent="1"/></UserObject>` +
	`<mxCell id="4" value="opens" edge="1" source="2" target="3" parent="1"/></root></mxGraphModel>`

// TestDiagramsOfDrawio reads files by the published form: pages as XML, and as draw.io packs them.
func TestDiagramsOfDrawio(t *testing.T) {
	var packed bytes.Buffer
	z, _ := flate.NewWriter(&packed, 9)
	_, _ = z.Write([]byte(strings.ReplaceAll(url.QueryEscape(graph), "+", "%20")))
	_ = z.Close()
	d := testextract.Read(t, "canal.drawio", `<mxfile host="app.diagrams.net" version="24.7.5"><diagram id="a" name="Lock">`+graph+`</diagram><diagram id="b" name="Again">`+base64.StdEncoding.EncodeToString(packed.Bytes())+`</diagram></mxfile>`)
	const page = "Harbour master\non duty\n\nLock 3 & sluice\n\nclosed in winter\n\nopens"
	if want := "# Lock\n\n" + page + "\n\n# Again\n\n" + page; d.Text != want || d.Format != "drawio" {
		t.Errorf("%s %q, want %q", d.Format, d.Text, want)
	}
	if label := document.Label(d.Place(len(d.Text))); label != "page Again" {
		t.Errorf("place %q", label)
	}
	if bare := testextract.Read(t, "canal.xml", graph); bare.Text != page {
		t.Errorf("%q", bare.Text)
	}
}

// TestDrawingsOfExcalidraw reads a file by the published schema.
func TestDrawingsOfExcalidraw(t *testing.T) {
	d := testextract.Read(t, "plant.excalidraw", `{"type":"excalidraw","version":2,"elements":[
{"id":"b","type":"text","x":10,"y":90,"text":"Ion\nexchanger","originalText":"Ion exchanger"},
{"id":"a","type":"text","x":10,"y":20,"text":"Brine tank","link":"https://example.org/brine"},
{"id":"c","type":"text","x":0,"y":0,"text":"erased words","isDeleted":true},
{"id":"d","type":"rectangle","x":1,"y":2,"points":[[0,0],[33333.5,44444.25]]}],"files":{}}`)
	if want := "Brine tank\n\nhttps://example.org/brine\n\nIon exchanger"; d.Text != want || d.Format != "excalidraw" {
		t.Errorf("%s %q", d.Format, d.Text)
	}
}
