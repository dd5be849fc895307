package book

import "dowse/indexer/document"

// maxBytes is the size above which a book is not read. Most of it are pictures.
const maxBytes = 128 << 20

// Formats are those of books that are neither archives nor XML.
var Formats = []document.Format{
	{Name: "mobi", Extensions: []string{"mobi", "azw", "azw3", "azw4", "prc", "pdb"}, Is: isMobi, Read: readMobi, MaxBytes: maxBytes, Share: 0.5, Slow: true},
	{Name: "djvu", Extensions: []string{"djvu", "djv"}, Is: isDjVu, Read: readDjVu, MaxBytes: maxBytes, Share: 0.2, Slow: true},
}
