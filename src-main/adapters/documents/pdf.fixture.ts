/** A small PDF with one line of text a page; a page of `undefined` has none, as a scanned one. */
export function pdfOf(pages: readonly (string | undefined)[]): Buffer {
  const objects: string[] = [];
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  objects[1] = '<< /Type /Catalog /Pages 2 0 R >>';
  objects[2] = `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`;
  objects[3] = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
  pages.forEach((text, at) => {
    const content = text === undefined ? '0 0 10 10 re f' : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
    objects[4 + at * 2] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`;
    objects[5 + at * 2] = `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
  });
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    if (object !== undefined) text += `${at} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = objects.map((_, at) => (at === 0 ? '' : `${String(offsets[at]).padStart(10, '0')} 00000 n \n`)).join('');
  text += `xref\n0 ${objects.length}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
