// Fonts of a document in Rich Text Format decide about the character set of their text.
import { UnreadableFile } from '../blocks.ts'
import { isSymbolFont, toSymbols } from '../office/office-symbols.ts'
import { decodeWindows1252 } from '../text/windows-1252.ts'

export interface RtfFont {
  name: string
  /** Of `\fcharset`. */
  charset: number | null
  /** Of `\cpg`. */
  codePage: number | null
}

/** Code pages by `\fcharset`. */
const codePages: Record<number, number> = {
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

/** Names of WHATWG Encoding where they are not `windows-` with the number. */
const encodings: Record<number, string> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  65001: 'utf-8',
}

const decoders = new Map<number, (bytes: Uint8Array) => string>()

/** `codePage` is the one of the document. Throws UnreadableFile. */
export function decodeRtf(
  bytes: number[],
  font: RtfFont | undefined,
  codePage: number,
): string {
  const page = font?.codePage ?? codePages[font?.charset ?? -1] ?? codePage
  const isAscii = bytes.every((byte) => byte < 0x80)
  const text = isAscii
    ? String.fromCharCode(...bytes)
    : toDecoder(page)(Uint8Array.from(bytes))
  return font && (font.charset === 2 || isSymbolFont(font.name))
    ? toSymbols(font.name, text)
    : text
}

function toDecoder(page: number): (bytes: Uint8Array) => string {
  const known = decoders.get(page)
  if (known) return known
  const decode = page === 1252 ? decodeWindows1252 : createDecoder(page)
  decoders.set(page, decode)
  return decode
}

function createDecoder(page: number): (bytes: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(encodings[page] ?? `windows-${page}`)
    return (bytes) => decoder.decode(bytes)
  } catch (error) {
    throw new UnreadableFile(
      `The code page ${page} of the document is not supported: save it as .docx`,
      { cause: error },
    )
  }
}
