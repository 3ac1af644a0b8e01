// CSV as spreadsheets read it (RFC 4180). An empty cell is no value; one in quotes is the empty text.

/** One record, with its end of line. */
export const csvLine = (values: unknown[]) => `${values.map(csvCell).join(',')}\r\n`

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
