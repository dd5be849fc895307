// Package media reads what people wrote into pictures, sounds and videos, and what programs of theirs say of these.
//
// # Basics
//
// Formats is what package extract lists: jpeg, png, gif, webp, tiff, heic (with avif), raw (of cameras); mp3, flac, ogg
// (with opus), m4a, wav; mp4 (with mov), ogv, matroska (by its beginning alone: nothing is read of it). A document is a heading, the
// title or else the name of the file; what was said, as paragraphs; and rows for who made it, keywords, people, place,
// when it was taken, camera, and coordinates where there is a caption. Meta has title, authors, keywords and the
// date, by the zone that stands beside it, otherwise as if in UTC.
//
// Use names programs that a person has set: one says what a picture shows, one writes down what is spoken; package ocr
// reads what is written in a picture. What they say stands under headings of its own: "Description", "Transcript", "Text in the picture". A
// transcript as subtitles, or of lines that begin with a time, has its times as places.
//
// # What is read
//
//   - Pictures: EXIF (description, user comment, artist, the fields of Windows, camera, time, place), IPTC, XMP (Dublin Core,
//     Photoshop's and IPTC's fields, people), texts of PNG, comments of JPEG and GIF.
//   - Sound: ID3 (all versions), comments of Vorbis, lists of MP4 and of RIFF, the description of a recorder's WAV.
//   - Video: lists and fields of MP4 and QuickTime.
//
// # What is left out
//
//   - A picture that has no title, caption, keyword, person or place (document.ErrPicture). Author, camera and time stand in thousands
//     of others.
//   - A sound that has a title, an artist and an album alone (document.ErrSound): a collection of ten thousand songs would
//     bury the notes of who has it. One with a comment, lyrics, a description or keywords is found by all of these, and so is what says that it is
//     speech: a podcast, an audiobook, a lecture.
//   - A video without title or description (document.ErrVideo).
//   - Icons, PNG and GIF of 128 pixels at most: what stands in them was copied from one to the next.
//   - What cameras and programs write where a person would ("OLYMPUS DIGITAL CAMERA", "Created with GIMP", "Screenshot",
//     "DSC_0123.JPG", a link alone): see defaults.go.
//   - Pixels and sound: no picture is decoded here.
//
// # Invariants
//
//   - Parts of a file are read by their places (document.Format.Sparse), 32 MiB and 8,192 parts at most, whatever lengths it tells: a
//     photograph of 5 MB costs 16 to 64 KiB, a film of 4 GB with its list at the end a few more.
//   - No directory, box or element is followed deeper than its format has a use for: nothing recurses as a file says.
//   - A program is given the path of a file of a folder, after a look that this is still the file that is open, through no link; what it
//     says counts if it is so afterwards, too. Members of archives have no path.
//   - One program runs at a time, and only while files are indexed (document.Programs): a search never waits for one.
//   - A program that fails costs a file without words its place in the index, and one with words what the program would have added
//     (document.Document.Lacks).
//
// # Why the readers are our own
//
// bep/imagemeta v1.0.1 is well kept and reads EXIF, IPTC and XMP of JPEG, TIFF, WebP and HEIC. It drops letters of UTF-16 (the fields of
// Windows, user comments), texts and XMP of PNG, comments of JPEG, all of GIF, and IPTC behind other resources of Photoshop: words that a person wrote.
// rwcarlsen/goexif has EXIF alone and rests since 2019. dhowden/tag rests since 2024, has no WAV, and reads
// parts as long as a file says that they are.
package media
