// Finds the e-mail or web address in an answer, without the text around it.
import tlds from 'tlds' with { type: 'json' }
import { lazily } from '../engine/lazily.ts'
import { withoutInvisible } from './characters.ts'
import { endsWithDenial, startsWithDenial } from './negations.ts'
import { oneOf } from './patterns.ts'

const maxLength = 2_000

/** Scripts without spaces: their words may follow an address directly. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const letter = '[\\p{L}\\p{M}\\p{N}]'

/** Full-width ASCII becomes ASCII: keyboards of Japanese and Chinese write "＠". */
const clean = (text: string, isKept = /^$/) =>
  withoutInvisible(text)
    .normalize('NFC')
    .replace(/[\uff01-\uff5e]/g, (one) =>
      isKept.test(one) ? one : String.fromCharCode(one.charCodeAt(0) - 0xfee0),
    )

const onlyOne = (found: string[]) => (new Set(found).size === 1 ? found[0] : undefined)

const local = `(?:${letter}|[.!#$%&'*+?^_\`{}~-])+`
const label = `${letter}(?:(?:${letter}|-)*${letter})?`
const mailbox = new RegExp(
  `(?<![${letter.slice(1, -1)}])${local}@(?:${label}\\.)+${label}`,
  'gu',
)

/** Returns the only e-mail address. */
export function emailIn(text: string): string | undefined {
  const cleaned = clean(text)
  if (text.length > maxLength) return undefined
  const found = [...cleaned.matchAll(mailbox)].map((one) => {
    const start = cleaned.slice(0, one.index)
    const before = start.at(-1) ?? ''
    const after = cleaned.slice(one.index + one[0].length)
    return isDetached(start, one[0]) ||
      isContinued(after) ||
      /[/|@\\]/.test(before) ||
      /^(?:[@_-]\S|[|/]\S)/.test(after)
      ? ''
      : toMailbox(/^[*_~]/.test(after) ? one[0].replace(/^[*_~]+/, '') : one[0])
  })
  return cleaned.split('@').length - 1 === found.length
    ? onlyOne(found) || undefined
    : undefined
}

/** The text before may be a part of the address ("john-\ndoe@…"), or say that it is another. */
const isDetached = (before: string, address: string) =>
  /[\p{L}\d][-_+]\s+$|[\p{L}\d][,;]$/u.test(before) ||
  (/^[-_+]/.test(address) && /[\p{L}\d]\s+$/u.test(before)) ||
  (/^[\p{Ll}\d]/u.test(address) && firstPart.test(before) && !greeting.test(before)) ||
  (before.endsWith('=') &&
    !/(?:mail|adress|address|adresse|correo|to)=$/i.test(before)) ||
  endsWithDenial(before)

/** "john. doe@example.com" may be one address. */
const firstPart =
  /(?:^|(?:\b(?:is|ist|est|es|mail|address|adresse)|[è:=])\s*)[\p{L}\d]+(?:\.[\p{L}\d]+)*\.\s+$/iu
const greetings = oneOf(`
  ok okay okey hi hey hello hallo hola bonjour salut ciao olá yes yep yeah sure no ja nein oui non
  sí si sim sì thanks danke merci gracias please bitte e-?mail mail it this here done fine great
  good
`)
const greeting = new RegExp(`(?:^|\\s)${greetings}\\.\\s+$`, 'iu')

/** The text after may be a part of the address ("a@example.co .uk"), or say that it is another. */
const isContinued = (after: string) =>
  /^\s+\.\p{L}|^\.\s+\p{Ll}{2,3}\s*$/u.test(after) || startsWithDenial(after)

/** Returns the address without quotes and neighbouring words, or an empty text if it is none. */
function toMailbox(written: string): string {
  const [user = '', host = ''] = written.split('@')
  const name = user
    .replace(/^[*'`{~!#$%&?^]+/, '')
    .replace(new RegExp(`^.*[${unspaced}](?=[A-Za-z\\d._+-]+$)`, 'u'), '')
  const domain = host.replace(new RegExp(`(?<=\\.[a-z]{2,})[${unspaced}]+$`, 'iu'), '')
  const isName = /^[^.]+(?:\.[^.]+)*$/.test(name) && name.length <= 64
  const isDomain = /\.(?:[\p{L}\p{M}]{2,63}|xn--[a-z\d-]{2,59})$/iu.test(domain)
  const isLong =
    domain.length + name.length > 253 || domain.split('.').some((one) => one.length > 63)
  return isName && isDomain && !isLong && !isMixed(name) && isDomainName(domain)
    ? `${name}@${domain}`
    : ''
}

/** Latin letters beside those of another alphabet are two words. */
const isMixed = (text: string) => /\p{Script=Latin}/u.test(text) && alphabetic.test(text)
const alphabetic = new RegExp(`(?![${unspaced}])(?!\\p{Script=Latin})\\p{L}`, 'u')

/** A top-level domain has letters of one script. The labels before it may mix those of Japanese. */
const isDomainName = (domain: string) =>
  domain.split('.').every((one) => !isMixed(one)) &&
  !new RegExp(`[A-Za-z][${unspaced}]|[${unspaced}][A-Za-z]`, 'u').test(
    domain.slice(domain.lastIndexOf('.')),
  )

const scheme = /(?<![A-Za-z\d])https?:\/\//i
/** Characters that end an address: spaces, quotes and the punctuation of East Asia. */
const end = /[\s<>"`“”„«»‹›。、，！？；：（）［］｛｝「」『』【】《》〈〉]/u

/** Words at the end of an answer and the beginning of the next sentence: "ok.thanks", "done.next". */
const sentenceStarts = /\.(?:next|now|here|how|you)$/i
const shortAnswer = new RegExp(
  `^${greetings}\\.(?!(?:com|net|org|io|app|dev)$)[^.]+$`,
  'iu',
)
const domainNames = lazily(() => new Set(tlds))

/** Returns whether a text with a dot is a domain, not two sentences without a space. */
function isKnownDomain(word: string): boolean {
  const [domain = '', path = ''] = word.split(/(?=[/?#:])/)
  if (/^www\./i.test(domain)) return true
  const name = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  const isKnown = name.startsWith('xn--') || domainNames().has(name)
  const isSentence = sentenceStarts.test(domain) || shortAnswer.test(domain)
  return isKnown && (path.startsWith('/') || !isSentence)
}

/** A domain without a scheme: "example.com/a". */
const bareDomain = new RegExp(
  `^(?:${label}\\.)+(?:\\p{L}[\\p{L}\\p{M}]+|xn--[a-z\\d-]+)(?=[/?#:]|$)`,
  'iu',
)

/** "https://example. com" */
const splitHost = /https?:\/\/[^\s./]+\.\s+\p{L}/iu

/** Returns the only HTTP or HTTPS address. Addresses with credentials are rejected. */
export function urlIn(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  // Full-width punctuation ends an address, and belongs to none.
  const cleaned = clean(text.replace(/：(?=[/／])/g, ':'), end)
  if (splitHost.test(cleaned)) return undefined
  const found = cleaned
    .split(end)
    .flatMap(splitAtScheme)
    .map(withoutPunctuation)
    .filter((word) => scheme.test(word) || (bareDomain.test(word) && isKnownDomain(word)))
  const [first = ''] = found
  const start = cleaned.indexOf(first)
  const isDenied =
    endsWithDenial(cleaned.slice(0, start)) ||
    startsWithDenial(cleaned.slice(start + first.length))
  if (isDenied) return undefined
  const urls = found.map(toUrl)
  return urls.includes('') ? undefined : onlyOne(urls)
}

/** Words of scripts without spaces, labels such as "URL:" and Markdown stand before the scheme. */
function splitAtScheme(word: string): string[] {
  const at = word.search(scheme)
  if (at < 0) return word.includes('@') ? [] : [word.replace(/^[([{'*_~]+/, '')]
  const address = word.slice(at)
  const markdown = /^(.*?)\]\((https?:\/\/.*)$/i.exec(address)
  return markdown ? [markdown[1]!, markdown[2]!] : [address]
}

const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
const count = (text: string, sign: string) => text.split(sign).length - 1

/** Removes punctuation at the end, and brackets that are opened outside of the address. */
function withoutPunctuation(word: string): string {
  for (let address = word; ; address = address.slice(0, -1)) {
    const last = address.at(-1) ?? ''
    const opening = closing[last]
    const isOpened = opening && count(address, opening) >= count(address, last)
    if (!/[.,:;!?'*~’…·،؛؟۔।)\]}|]/u.test(last) || isOpened) return address
  }
}

/** Beside ASCII, words of a script without spaces may belong to the sentence. */
const preceded = new RegExp(`[${unspaced}][A-Za-z\\d]`, 'u')
const continued = new RegExp(`[A-Za-z\\d_-][${unspaced}]+$`, 'u')

/** Returns an empty text if it is not a web address, or it is not clear where it ends. */
function toUrl(word: string): string {
  const address = scheme.test(word) ? word : `https://${word}`
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(address) ?? []
  const domain =
    rest === ''
      ? host.replace(new RegExp(`(?<=\\.[a-z]{2,})[${unspaced}]+$`, 'iu'), '')
      : host
  const isUnclear =
    (!scheme.test(word) && preceded.test(host)) ||
    continued.test(rest) ||
    /[,;|][a-z]*:\/\/|\\/i.test(rest) ||
    /^https?(?::|$)|^www\.[^.]*$|(?:^|\.)-|-(?:\.|$)/i.test(host)
  const full = address.slice(0, address.indexOf('//') + 2) + domain + rest
  const isHost =
    /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}.:[\]-]+$/u.test(domain) &&
    isDomainName(domain.replace(/:\d+$/, ''))
  if (isUnclear || !isHost || !URL.canParse(full)) return ''
  const url = new URL(full)
  // "1.2.3" would become 1.2.0.3.
  const isOther =
    /^[\d.]+$/.test(url.hostname) && url.hostname !== domain.replace(/:\d+$/, '')
  return url.hostname && !url.username && !url.password && !isOther ? url.href : ''
}
