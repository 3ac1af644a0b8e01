// Detects the character set of text that declares none.
import { isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'

const sampleLength = 32_768
const escapeByte = 0x1b

/** Returns null if the bytes are text of a Western European language, or of an unknown one. */
export function detectEncoding(bytes: Uint8Array): string | null {
  const wide = detectUtf16(bytes)
  if (wide) return wide
  if (isUtf8(bytes) && !bytes.includes(escapeByte)) return 'utf-8'
  const sample = toSample(bytes)
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.length).toString(
    'latin1',
  )
  // Seven bits: also valid UTF-8.
  if (text.includes('\x1b$)C')) return 'iso-2022-kr'
  if (['\x1b$@', '\x1b$B'].some((shift) => text.includes(shift))) return 'iso-2022-jp'
  if (isUtf8(bytes) || isMostlyUtf8(sample)) return 'utf-8'
  return detectLegacy(sample)
}

/**
 * Without a mark: in most scripts, either the even or the odd bytes of UTF-16 are below those of any other
 * text.
 */
export function detectUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4_096)
  const low = [0, 0]
  for (const [at, byte] of sample.entries())
    if (byte < 0x09 || (byte > 0x0d && byte < 0x1b)) low[at % 2]! += 1
  const [even, odd] = low as [number, number]
  const many = Math.max(2, sample.length / 8)
  if (odd >= many && even * 10 < odd) return 'utf-16le'
  return even >= many && odd * 10 < even ? 'utf-16be' : null
}

/** From just before the first letter beyond ASCII. */
function toSample(bytes: Uint8Array): Uint8Array {
  const from = Math.max(
    0,
    bytes.findIndex((byte) => byte > 0x7f || byte === escapeByte) - 1_000,
  )
  return bytes.subarray(from - (from % 2), from + sampleLength)
}

/** A few damaged characters do not change the character set. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const letters = new TextDecoder().decode(sample).match(/[^\0-\x7f]/g) ?? []
  return letters.filter((letter) => letter === '\ufffd').length * 5 < letters.length
}

const certain = 50
const likely = 30

/** By the frequencies of letters; those of Western languages do not tell their character sets apart. */
function detectLegacy(sample: Uint8Array): string | null {
  const asian = asianScripts.find((script) => isWrittenIn(sample, script))
  if (asian?.isCertain) return asian.name
  const found = analyse(sample).filter(
    ({ name }) => !/^(?:ASCII|UTF|ISO-2022)/.test(name),
  )
  const [best] = found
  const isOther = best && !latin.test(best.name)
  if (isOther && best.confidence >= certain && canDecode(sample, best.name))
    return toName(best.name, sample)
  if (asian) return asian.name
  const han = hanScripts.find((script) => isWrittenInPairs(sample, script))
  if (han) return han.name
  const short = detectWords(sample)
  if (short) return short
  if (isOther && best.confidence >= likely && countHigh(sample) * 3 > sample.length)
    return toName(best.name, sample)
  return detectLatin(sample, found)
}

const latin = /^(?:ISO-8859-[129]|windows-(?:1250|1252|1254|1257))$/

/** Supersets, as browsers use them. */
const toName = (name: string, sample: Uint8Array) =>
  name
    .replace('ISO-8859-8', 'windows-1255')
    .replace('ISO-8859-9', 'windows-1254')
    .replace('ISO-8859-7', isIsoGreek(sample) ? 'ISO-8859-7' : 'windows-1253')
    .toLowerCase()

/** The capital alpha with an accent has another place in windows-1253, where this one is a pilcrow. */
const isIsoGreek = (sample: Uint8Array) =>
  /\xb6[\xdc-\xfe]/.test(Buffer.from(sample).toString('latin1'))

function canDecode(sample: Uint8Array, name: string): boolean {
  const text = new TextDecoder(name).decode(sample)
  return (text.match(/\ufffd/g)?.length ?? 0) * 50 <= text.length
}

interface Script {
  name: string
  /** No other character set has these letters by chance. */
  isCertain?: boolean
  some: RegExp
  all: RegExp
}

const kana = /[\u3041-\u30f6]{2}/
const japanese = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/g

/** The characters of short texts, which are too few for frequencies: some of the script, and no others. */
const asianScripts: Script[] = [
  { name: 'shift_jis', isCertain: true, some: kana, all: japanese },
  { name: 'euc-jp', isCertain: true, some: kana, all: japanese },
  { name: 'euc-kr', some: /[가-힣]{2}/, all: /[가-힣\u3000-\u303f\uff00-\uffef]/g },
  { name: 'utf-16le', some: /[\u3041-\u30f6\u4e00-\u9fff]{2}/, all: japanese },
]

function isWrittenIn(sample: Uint8Array, { name, some, all }: Script): boolean {
  const isWide = name === 'utf-16le'
  if (isWide && (sample.length % 2 > 0 || countHigh(sample) * 3 < sample.length))
    return false
  const text = new TextDecoder(name).decode(sample, { stream: true })
  const others = text.replaceAll(all, '').match(/[^\0-\x7f]/g)?.length ?? 0
  return some.test(text) && !text.includes('\ufffd') && others * 10 <= text.length
}

/** Frequent characters of two bytes that single-byte texts do not have in a row, without kana. */
const hanScripts = [
  { name: 'shift_jis', pair: /^[\x88-\x97][\x40-\x7e\x80-\xfc]$/ },
  { name: 'big5', pair: /^[\xa4-\xc6][\x40-\x7e\xa1-\xfe]$/ },
]
const minHan = 4

/** Whether all characters beyond ASCII are pairs in words of two characters and more. */
function isWrittenInPairs(
  sample: Uint8Array,
  { name, pair }: (typeof hanScripts)[number],
): boolean {
  const text = new TextDecoder(name).decode(sample, { stream: true })
  const words = text.match(/[^\0-\x7f]+/g) ?? []
  const letters = words.join('')
  if (letters.length < minHan || words.some((word) => word.length < 2)) return false
  if (!/^\p{Script=Han}+$/u.test(letters)) return false
  const latin1 = Buffer.from(sample).toString('latin1')
  const pairs = latin1.match(/[\x80-\xff][\s\S]/g) ?? []
  // Without an ASCII byte, the bytes may be of any character set of two bytes.
  return (
    pairs.every((one) => pair.test(one)) && pairs.some((one) => one.charCodeAt(1) < 0x7f)
  )
}

const minWord = 4
const capitals = /^[\xa8\xc0-\xdf]+$/
const cyrillic = /^[\xa8\xc0-\xdf]?[\xb8\xe0-\xff]+$/
const koi = /^[\xb3\xe0-\xff]?[\xa3\xc0-\xdf]+$/

/**
 * Words of Cyrillic letters, and pairs of bytes that are frequent Chinese characters, in texts too short for
 * frequencies. Western words do not have four letters beyond ASCII in a row.
 */
function detectWords(sample: Uint8Array): string | null {
  const text = Buffer.from(sample).toString('latin1')
  const words = text.match(/[\xa3\xa8\xb0-\xff]+/g) ?? []
  const letters = words.join('').length
  const long = words.filter((word) => word.length >= minWord)
  const isForeign =
    long.join('').length * 2 > letters && letters * 1.2 > countHigh(sample)
  if (!isForeign) return null
  const isKoi = words.some((word) => /^[\xb3\xe0-\xff][\xc0-\xdf]{3}/.test(word))
  if (words.every((word) => capitals.test(word) || cyrillic.test(word)))
    return long.length > 1 || cyrillic.test(long[0]!) ? 'windows-1251' : null
  if (isKoi && words.every((word) => koi.test(word) || /^[\xe0-\xff]+$/.test(word)))
    return 'koi8-r'
  return areFrequentPairs(text) ? 'gb18030' : null
}

/** Characters of the first level of GB 2312, which are nearly all of a text. */
function areFrequentPairs(text: string): boolean {
  const runs = text.match(/[\x80-\xff]+/g) ?? []
  const pairs = runs.flatMap((run) => run.match(/[\s\S]{1,2}/g) ?? [])
  const frequent = pairs.filter((pair) => /^[\xb0-\xd7][\xa1-\xfe]$/.test(pair))
  const isPaired = pairs.every((pair) => /^[\xa1-\xf7][\xa1-\xfe]$/.test(pair))
  return isPaired && frequent.length * 5 >= pairs.length * 4
}

const countHigh = (sample: Uint8Array) => sample.filter((byte) => byte > 0x7f).length

/** Texts with fewer letters beyond ASCII are Western. */
const minLetters = 10

/** In Polish, for example, windows-1252 reads letters as symbols inside of words. */
function detectLatin(sample: Uint8Array, found: { name: string; confidence: number }[]) {
  const text = Buffer.from(sample).toString('latin1')
  const confidence = (names: RegExp) =>
    Math.max(
      0,
      ...found.filter(({ name }) => names.test(name)).map((one) => one.confidence),
    )
  const western = confidence(/^(?:ISO-8859-1|windows-1252)$/) + minMargin
  const central = confidence(/^(?:ISO-8859-2|windows-1250)$/)
  const isLong = countHigh(sample) >= minLetters
  if (/[a-z][±¶¼¿³¹¾\x9c\x9f][a-zà-ÿ]/.test(text) || (isLong && central > western))
    return /[\x80-\x9f¹¿]/.test(text) ? 'windows-1250' : 'iso-8859-2'
  return isLong && confidence(/^(?:ISO-8859-9|windows-1254)$/) > western
    ? 'windows-1254'
    : null
}

const minMargin = 10
