/** UTF-16 in hexadecimal digits, which a document's title may be in. */
const titleHex = (words: string): string =>
  `FEFF${Array.from({ length: words.length }, (_, at) => words.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`

/** The page's font knows Latin letters only; others show as question marks there, but stand in the title. */
const lineHex = (words: string): string =>
  Array.from(words, (sign) => {
    const code = sign.codePointAt(0) ?? 63
    return (code > 255 ? 63 : code).toString(16).padStart(2, '0')
  }).join('')

/** A PDF document of one page with these lines. */
export function pdfOf(title: string, lines: readonly string[]): string {
  const shown = lines.map((line) => `<${lineHex(line)}> Tj T*`).join('\n')
  const content = `BT /F1 11 Tf 16 TL 60 780 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title <${titleHex(title)}> >>`,
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, at) => {
    const start = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${starts.join('')}${trailer}`
}
