// Characters of the fonts Symbol and Wingdings, which Word stores by their position in the font.

const symbol: [first: number, characters: string][] = [
  [0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'],
  [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'],
  [0xa2, '′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'],
  [0xc4, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉'],
  [0xd1, '∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓'],
]
const wingdings: [first: number, characters: string][] = [
  [0x28, '☎'],
  [0x2a, '✉'],
  [0x46, '☞'],
  [0x4a, '☺'],
  [0x4c, '☹'],
  [0x6c, '●❍■□'],
  [0x76, '❖'],
  [0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'],
  [0xa7, '▪◻'],
  [0xd8, '➢'],
  [0xdf, '←→↑↓'],
  [0xe8, '➔'],
  [0xf0, '⇨'],
  [0xfb, '✗✓☒☑'],
]
const wingdings2: [first: number, characters: string][] = [
  [0x4f, '✗✓☒☑☒☒'],
  [0xa3, '□'],
]

/** Returns the character of `w:sym`; a space for one without an equal in Unicode. */
export function toSymbol(font: string, char: string): string {
  const code = Number.parseInt(char, 16)
  if (!(code > 0) || code > 0x10ffff) return ' '
  const position = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code
  const table = toTable(font)
  const row = table.find(
    ([first, { length }]) => position >= first && position < first + length,
  )
  if (row) return row[1][position - row[0]]!
  if (position < 0x7f && position > 0x1f && table === symbol)
    return String.fromCharCode(position)
  return code === position ? String.fromCodePoint(code) : ' '
}

/** Whether a font draws symbols in place of letters. */
export const isSymbolFont = (font: string) =>
  /^(?:symbol$|wingdings|webdings)/i.test(font)

/** Returns text in a font of symbols, as Unicode. */
export const toSymbols = (font: string, text: string): string =>
  [...text]
    .map((char) =>
      /\s/.test(char) ? char : toSymbol(font, char.codePointAt(0)!.toString(16)),
    )
    .join('')

function toTable(font: string) {
  if (/wingdings ?2/i.test(font)) return wingdings2
  if (/wingdings/i.test(font)) return wingdings
  return /symbol/i.test(font) ? symbol : []
}
