;; glyphs writes what PDFium knows of the characters from $from up to $to, 72 bytes each, to $at:
;; unicode i32, font i32, font size f64, matrix 6 x f32, box 4 x f32, origin 2 x f64.
;; glyphs.go holds what wat2wasm makes of it.
(module
  (import "pdfium" "memory" (memory 1))
  (import "pdfium" "FPDFText_GetUnicode" (func $unicode (param i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetTextObject" (func $object (param i32 i32) (result i32)))
  (import "pdfium" "FPDFTextObj_GetFont" (func $font (param i32) (result i32)))
  (import "pdfium" "FPDFText_GetFontSize" (func $size (param i32 i32) (result f64)))
  (import "pdfium" "FPDFText_GetMatrix" (func $matrix (param i32 i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetLooseCharBox" (func $box (param i32 i32 i32) (result i32)))
  (import "pdfium" "FPDFText_GetCharOrigin" (func $origin (param i32 i32 i32 i32) (result i32)))
  (func (export "glyphs") (param $text i32) (param $from i32) (param $to i32) (param $at i32)
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $from) (local.get $to)))
      (i32.store (local.get $at) (call $unicode (local.get $text) (local.get $from)))
      (i32.store offset=4 (local.get $at) (call $font (call $object (local.get $text) (local.get $from))))
      (f64.store offset=8 (local.get $at) (call $size (local.get $text) (local.get $from)))
      (drop (call $matrix (local.get $text) (local.get $from) (i32.add (local.get $at) (i32.const 16))))
      (drop (call $box (local.get $text) (local.get $from) (i32.add (local.get $at) (i32.const 40))))
      (drop (call $origin (local.get $text) (local.get $from) (i32.add (local.get $at) (i32.const 56)) (i32.add (local.get $at) (i32.const 64))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 72)))
      (br $next)))))
