// Fields of Word (ECMA-376, 17.16): their results are text, their codes are not. The field SYMBOL is a
// character by its position in a font.
import { toSymbol } from './office-symbols.ts'

interface Field {
  code: string
  hasResult: boolean
}

const symbol = /^\s*SYMBOL\s+(?:(0x[\da-f]+|\d+)|(\S))/i
const font = /\\f\s+(?:"([^"]*)"|(\S+))/i

/** The open fields of a part. */
export class DocxFields {
  readonly #open: Field[] = []

  /** With a code, the result follows. */
  begin(code?: string): void {
    this.#open.push({ code: code ?? '', hasResult: code !== undefined })
  }

  /** The code is complete, its result follows. */
  separate(): void {
    const field = this.#open.at(-1)
    if (field) field.hasResult = true
  }

  addCode(content: string): void {
    const field = this.#open.at(-1)
    if (field && !field.hasResult) field.code += content
  }

  /** Returns the text of the field if its code determines it. */
  end(): string {
    return symbolIn(this.#open.pop()?.code ?? '')
  }

  /** Whether text here is a code, or the result of a field with a code that is its text. */
  get hideText(): boolean {
    return this.#open.some(({ code, hasResult }) => !hasResult || symbol.test(code))
  }
}

/** Of `SYMBOL 252 \f Wingdings`; the number is decimal or hexadecimal. */
function symbolIn(code: string): string {
  const [found, number, character] = symbol.exec(code) ?? []
  if (found === undefined) return ''
  const position = number === undefined ? character!.codePointAt(0)! : Number(number)
  const [, quoted, plain = ''] = font.exec(code) ?? []
  const isUnicode = /\\u\b/i.test(code)
  return toSymbol(isUnicode ? '' : (quoted ?? plain), position.toString(16))
}
