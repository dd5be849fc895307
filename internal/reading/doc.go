// Package reading has files read as a home's settings say: PDF files by a PDFium whose compiled form its cache keeps,
// pictures by tesseract, pictures, sounds and videos by programs that the settings name,
// and old text files in the encodings that the settings give to folders.
//
// Nothing of it is needed: files that a missing program would read are left out and counted
// under a skip reason. Signature names the programs with their versions, so that such files are
// read again once another program may find a text in them.
package reading
