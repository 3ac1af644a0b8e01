// Decodes text of any reader, in the order of browsers (WHATWG Encoding): byte order mark, charset of the
// content type, declaration in the document. Detects the character set of the rest.
import { isUtf8 } from 'node:buffer'
import { UnreadableFile } from '../blocks.ts'
import { detectEncoding } from './encoding-detection.ts'
import { decodeWindows1252 } from './windows-1252.ts'

interface Declared {
  /** With parameters, such as `text/html; charset=koi8-r`. */
  contentType?: string | undefined
  /** Whether the document may declare its character set: HTML and XML. */
  isMarkup?: boolean
}

/** Returns the text without its byte order mark. Throws UnreadableFile. */
export function decodeText(
  bytes: Uint8Array,
  { contentType = '', isMarkup }: Declared = {},
): string {
  const beginning = Buffer.from(bytes.subarray(0, beginningLength)).toString('latin1')
  const marked = marks.find(({ mark }) => beginning.startsWith(mark))?.encoding
  if (marked) return checked(decode(bytes, marked))
  const sent = /;\s*charset\s*=\s*["']?([\w:.+-]{1,40})/i.exec(contentType)?.[1]
  const declared =
    sent ?? (isMarkup || isXml(beginning) ? declaration(beginning) : undefined)
  const encoding = (declared && toEncoding(declared, sent === undefined)) || null
  return checked(decode(bytes, chooseEncoding(bytes, encoding, declared)))
}

const beginningLength = 4_096
/** UTF-32 begins like UTF-16. */
const marks = [
  { mark: '\xef\xbb\xbf', encoding: 'utf-8' },
  { mark: '\xff\xfe\0\0', encoding: 'utf-32' },
  { mark: '\0\0\xfe\xff', encoding: 'utf-32' },
  { mark: '\xff\xfe', encoding: 'utf-16le' },
  { mark: '\xfe\xff', encoding: 'utf-16be' },
]

const isXml = (beginning: string) => /^\s*<\?xml\s/.test(beginning)

/** Returns the character set that an XML or HTML document names. */
function declaration(beginning: string): string | undefined {
  const text = beginning.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
  return (/^\s*<\?xml\s[^>]{0,100}encoding\s*=\s*["']([\w:.+-]{1,40})/.exec(text) ??
    /<meta\s[^>]{0,200}charset\s*=\s*["']?\s*([\w:.+-]{1,40})/i.exec(text))?.[1]
}

/** Names that programs write for character sets of the standard. */
const aliases: [RegExp, string][] = [
  [/^(?:x-)?(?:win|windows|cp|ms)[-_]?(125[0-8]|874)$/, 'windows-$1'],
  [/^(?:cp|ms|ibm)[-_]?(?:932|943)$|^shift-?jis.*$/, 'shift_jis'],
  [/^(?:cp|ms|uhc)[-_]?949$|^uhc$|^ks_?c_?5601.*$/, 'euc-kr'],
  [/^(?:cp|ms)[-_]?936$|^euc[-_]cn$/, 'gbk'],
  [/^(?:cp|ms)[-_]?950$/, 'big5'],
  [/^utf[-_]?8.*$|^cp65001$/, 'utf-8'],
]

/** A document that declares UTF-16 in single bytes is UTF-8. Returns null for an unknown name. */
function toEncoding(label: string, isInDocument: boolean): string | null {
  const name = aliases.reduce(
    (text, [from, to]) => text.replace(from, to),
    label.toLowerCase(),
  )
  try {
    const { encoding } = new TextDecoder(name)
    return isInDocument && encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return unsupported.test(name) ? name : null
  }
}

/** Their bytes look like ASCII. */
const unsupported = /^(?:utf-?7|utf-?32.*|iso-2022-(?:kr|cn).*|hz.*)$/

/**
 * Prefers UTF-8 to a declaration that is wrong for certain: servers declare one character set for all
 * files. Throws UnreadableFile.
 */
function chooseEncoding(
  bytes: Uint8Array,
  encoding: string | null,
  label?: string,
): string {
  const detected = detectEncoding(bytes)
  if (detected === null && label !== undefined && encoding === null)
    throw new UnreadableFile(
      `The character set "${label}" is not supported: save the file as UTF-8`,
    )
  if (encoding === null || encoding === 'utf-8') return detected ?? 'windows-1252'
  if (encoding.startsWith('utf-16'))
    return detected?.startsWith('utf-16') ? detected : encoding
  const isCertain =
    detected === 'utf-8' && isUtf8(bytes) && bytes.some((byte) => byte > 0x7f)
  if (!isCertain || unsupported.test(encoding)) return encoding
  return encoding === 'windows-1252' || countLetters(bytes) >= certainLetters
    ? 'utf-8'
    : encoding
}

/** Fewer pairs of bytes may be valid UTF-8 by chance. */
const certainLetters = 4
const countLetters = (bytes: Uint8Array) =>
  bytes.subarray(0, 65_536).reduce((sum, byte) => sum + (byte >= 0xc0 ? 1 : 0), 0)

function decode(bytes: Uint8Array, encoding: string): string {
  // Node 20 takes windows-1252 for ISO 8859-1.
  if (encoding === 'windows-1252') return decodeWindows1252(bytes)
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch (error) {
    const name = encoding.toUpperCase()
    throw new UnreadableFile(
      `The character set ${name} is not supported: save the file as UTF-8`,
      {
        cause: error,
      },
    )
  }
}

const minGarbled = 10
const maxGarbledShare = 0.1

/** Throws UnreadableFile for bytes that are no text in the character set. */
function checked(text: string): string {
  const sample = text.slice(0, 100_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them.
  const garbled = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0
  if (garbled > minGarbled && garbled > sample.length * maxGarbledShare)
    throw new UnreadableFile(
      'The file is not text, or its character set is unknown: save it as UTF-8',
    )
  return text
}
