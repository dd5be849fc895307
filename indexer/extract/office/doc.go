// Package office reads the documents of office programs: DOCX, ODT, PPTX, ODP, XLSX, ODS,
// EPUB and RTF.
package office
