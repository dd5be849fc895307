package testshapes

import (
	"bytes"
	"encoding/binary"
)

func medias() []Shape {
	return []Shape{
		{"frames.mp3", 300, 1_000_000, func(n int) []byte {
			body := bytes.Repeat([]byte("COMM\x00\x00\x00\x0a\x00\x00\x00eng\x00valve"), n)
			size := len(body)
			return append([]byte{'I', 'D', '3', 3, 0, 0, byte(size >> 21 & 127), byte(size >> 14 & 127), byte(size >> 7 & 127), byte(size & 127)}, body...)
		}},
		{"directories.jpg", 300, 60_000, func(n int) []byte { // a directory that names itself as the next one
			n = min(n, 5000)
			tiff := []byte("II*\x00\x08\x00\x00\x00")
			tiff = binary.LittleEndian.AppendUint16(tiff, uint16(n))
			for range n {
				tiff = append(tiff, 0x0e, 0x01, 2, 0, 6, 0, 0, 0, 8, 0, 0, 0)
			}
			tiff = append(tiff, 8, 0, 0, 0)
			body := append([]byte("Exif\x00\x00"), tiff...)
			out := binary.BigEndian.AppendUint16([]byte("\xff\xd8\xff\xe1"), uint16(len(body)+2))
			return append(append(out, body...), "\xff\xd9"...)
		}},
		{"segments.jpg", 300, 1_000_000, repeated("\xff\xd8", "\xff\xfe\x00\x08valve ", "\xff\xd9")},
		{"chunks.png", 300, 1_000_000, repeated("\x89PNG\r\n\x1a\n", "\x00\x00\x00\x09tEXtTitle\x00abc\x00\x00\x00\x00", "")},
		{"blocks.gif", 300, 1_000_000, repeated("GIF89a\x01\x00\x01\x00\x00\x00\x00", "\x21\xfe\x05valve\x00", ";")},
		{"boxes.mp4", 300, 1_000_000, repeated("\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00", "\x00\x00\x00\x08free", "")},
		{"nested.mp4", 300, 300_000, func(n int) []byte {
			var b bytes.Buffer
			b.WriteString("\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00")
			for i := range n {
				b.Write(binary.BigEndian.AppendUint32(nil, uint32(8*(n-i))))
				b.WriteString("moov")
			}
			return b.Bytes()
		}},
	}
}
