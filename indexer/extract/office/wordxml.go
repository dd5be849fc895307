package office

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"dowse/indexer/document"
)

// readWordXML reads a document of Word 2003 in one file of XML. Its body is that of DOCX under other names of spaces.
func readWordXML(ctx context.Context, in *document.Input) (*document.Document, error) {
	w := wordXML{docxReader: docxReader{styles: wordStyles{}}}
	if err := readXML(ctx, in, bytes.Clone(in.Data), &w); err != nil {
		return nil, err
	}
	b := in.Builder()
	out := writer{b: b}
	out.blocks(w.flow.finish())
	out.blocks(running{}.fresh(w.around.finish()))
	return b.Document("wordml", w.byline.to(w.meta.result())), nil
}

// wordXML reads such a file.
type wordXML struct {
	docxReader
	meta   properties
	inMeta bool
	style  string // the definition that is open
	around flow   // headers and footers
	body   flow   // while those are read
}

func (w *wordXML) start(e element) (skip bool) {
	if w.inMeta {
		return w.meta.start(e)
	}
	switch e.name {
	case "DocumentProperties":
		w.inMeta = true
	case "fonts", "lists", "binData", "docOleData", "docSuppData", "shapeDefaults", "CustomDocumentProperties", "bgPict":
		return true
	case "sectPr", "footnote", "endnote": // their paragraphs follow the one that they stand in
	case "style":
		w.style = e.attribute("styleId")
		w.styles[w.style] = &wordStyle{}
	case "hdr", "ftr":
		if e.prefix == "w" {
			w.body, w.flow = w.flow, w.around
		}
	default:
		if style := w.styles[w.style]; w.style != "" && style != nil {
			style.describe(e)
			return false
		}
		return w.docxReader.start(e)
	}
	return false
}

func (w *wordXML) text(s string) {
	if w.inMeta {
		w.meta.text(s)
		return
	}
	w.docxReader.text(s)
}

func (w *wordXML) end(name string) {
	if w.inMeta {
		w.inMeta = name != "DocumentProperties"
		w.meta.end(propertyNames[name])
		return
	}
	switch name {
	case "style":
		w.style = ""
	case "hdr", "ftr":
		w.around, w.flow = w.flow, w.body
	case "footnote", "endnote":
	default:
		w.docxReader.end(name)
	}
}

// propertyNames are those of OOXML for what Word 2003 calls otherwise.
var propertyNames = map[string]string{"Title": "title", "Author": "creator", "Keywords": "keywords", "Created": "created", "LastSaved": "modified"}

// readFlatOPC reads a document of Office in one file of XML, whose elements are the parts of the archive that it would be.
func readFlatOPC(ctx context.Context, in *document.Input) (*document.Document, error) {
	data, main, err := unflatten(ctx, in)
	if err != nil {
		return nil, err
	}
	packed := *in
	packed.Data = data
	read := readDOCX
	switch {
	case strings.Contains(main, "presentationml"):
		read = readPPTX
	case strings.Contains(main, "spreadsheetml"):
		read = readXLSX
	}
	d, err := read(ctx, &packed)
	if err == nil {
		d.Format = "flatopc"
	}
	return d, err
}

// unflatten returns the archive that a flat document says, nothing in it packed, and the type of its main part.
func unflatten(ctx context.Context, in *document.Input) (archive []byte, main string, err error) {
	source := cleanXML(bytes.Clone(in.Data))
	decoder := xml.NewDecoder(bytes.NewReader(source))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	name, kind, from, members := "", "", int64(0), 0
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := element{t.Name.Space, t.Name.Local, t.Attr}
			switch {
			case e.prefix != "pkg":
			case e.name == "part":
				name, kind = strings.TrimPrefix(e.attribute("name"), "/"), e.attribute("contentType")
				if strings.Contains(kind, ".main+xml") {
					main = kind
				}
			case e.name == "xmlData" || e.name == "binaryData":
				from = decoder.InputOffset()
			}
		case xml.EndElement:
			if t.Name.Space != "pkg" || t.Name.Local != "xmlData" && t.Name.Local != "binaryData" || name == "" || members == document.DefaultLimits.Members {
				continue
			}
			data := source[from : from+int64(max(bytes.LastIndexByte(source[from:decoder.InputOffset()], '<'), 0))]
			if t.Name.Local == "binaryData" {
				data, _ = base64.StdEncoding.DecodeString(string(data)) // what is damaged is cut there
			}
			members++
			f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err == nil {
				_, err = f.Write(data)
			}
			if err != nil {
				return nil, "", err
			}
			name = ""
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return out.Bytes(), main, nil
}
