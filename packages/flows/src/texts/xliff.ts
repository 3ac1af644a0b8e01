// Translations as XLIFF 1.2, the format of translators' tools: one file for each language. Runs in browsers.
import { TextFileError } from './csv-file.ts'
import type { TranslationState } from './languages.ts'

interface XliffUnit {
  id: string
  source: string
  target: string
  state?: TranslationState
  note?: string
}

interface XliffFile {
  source: string
  target: string
  units: XliffUnit[]
}

const states: Record<TranslationState, string> = {
  translated: 'translated',
  outdated: 'needs-review-translation',
  missing: 'needs-translation',
}

const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

/** XML 1.0 has no other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const unknownToXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const encodeEntities = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(unknownToXml, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => `&${entities[character]};`)
    .replaceAll('\r', '&#13;')

/** Tools protect the content of `ph`, so that translators cannot misspell a variable. */
function toContent(text: string): string {
  let count = 0
  return text
    .split(/(\{\{[\s\S]*?\}\})/)
    .map((part, index) =>
      index % 2
        ? `<ph id="${++count}">${encodeEntities(part)}</ph>`
        : encodeEntities(part),
    )
    .join('')
}

export const writeXliff = ({ source, target, units }: XliffFile): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="bot" datatype="plaintext"
    source-language="${encodeEntities(source)}" target-language="${encodeEntities(target)}">
    <body>
${units.map(toUnit).join('')}    </body>
  </file>
</xliff>
`

const toUnit = ({ id, source, target, state = 'translated', note }: XliffUnit) =>
  `      <trans-unit id="${encodeEntities(id)}" xml:space="preserve">
        <source>${toContent(source)}</source>
        <target state="${states[state]}">${toContent(target)}</target>
${note ? `        <note>${encodeEntities(note)}</note>\n` : ''}      </trans-unit>
`

type Token =
  | { text: string }
  | { name: string; attributes: Record<string, string> }
  | { close: string }

/** Reads the units of a file. Markup inside of a text is left out, its content stays. Throws TextFileError. */
export function readXliff(file: string): XliffFile {
  const found: XliffFile = { source: '', target: '', units: [] }
  let unit: XliffUnit | null = null
  let field: 'source' | 'target' | null = null
  const open: string[] = []
  for (const token of tokens(file.replace(/^\ufeff/, ''))) {
    if ('text' in token) {
      if (unit && field) unit[field] += token.text
    } else if ('name' in token) {
      const { name, attributes } = token
      open.push(name)
      if (name === 'xliff' && !attributes.version?.startsWith('1.'))
        throw new TextFileError(
          'The file is not XLIFF 1.2. Export it from your tool as XLIFF 1.2',
        )
      if (name === 'file') {
        found.source ||= attributes['source-language'] ?? ''
        found.target ||= attributes['target-language'] ?? ''
      } else if (name === 'trans-unit')
        unit = { id: attributes.id ?? '', source: '', target: '' }
      else if (!open.includes('alt-trans') && (name === 'source' || name === 'target'))
        field = name
    } else {
      if (open.pop() !== token.close) throw incomplete()
      if (token.close === field) field = null
      if (token.close === 'trans-unit' && unit) found.units.push(unit)
    }
  }
  if (open.length > 0) throw incomplete()
  if (found.target === '')
    throw new TextFileError(
      'The file names no target language. Export it from your tool as XLIFF 1.2',
    )
  return found
}

const tag =
  /<(\/?)([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const attribute = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function* tokens(xml: string): Generator<Token> {
  let at = 0
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at)
      yield { text: decodeEntities(xml.slice(at, end < 0 ? undefined : end)) }
      at = end < 0 ? xml.length : end
      continue
    }
    const skipped = [
      ['<!--', '-->'],
      ['<![CDATA[', ']]>'],
      ['<?', '?>'],
    ].find(([begin]) => xml.startsWith(begin!, at))
    if (skipped) {
      const end = xml.indexOf(skipped[1]!, at)
      if (end < 0) throw invalid(xml, at)
      if (skipped[0] === '<![CDATA[') yield { text: xml.slice(at + 9, end) }
      at = end + 3 - (skipped[0] === '<?' ? 1 : 0)
      continue
    }
    tag.lastIndex = at
    const [whole, slash, name, attributes = '', empty] = tag.exec(xml) ?? []
    if (!whole) throw invalid(xml, at)
    const local = name!.slice(name!.indexOf(':') + 1)
    if (slash) yield { close: local }
    else {
      yield { name: local, attributes: toAttributes(attributes) }
      if (empty) yield { close: local }
    }
    at += whole.length
  }
}

const toAttributes = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name, one, other]) => [
      name!,
      decodeEntities(one ?? other ?? ''),
    ]),
  )

const characters: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** A file cannot define further entities. */
const decodeEntities = (text: string) =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (all, hex, decimal, name) => {
      if (name) return characters[name.toLowerCase()]!
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : all
    },
  )

const incomplete = () =>
  new TextFileError(
    'The file is not XLIFF: it is incomplete. Export it from your tool again',
  )

const invalid = (xml: string, at: number) =>
  new TextFileError(
    `The file is not XLIFF: line ${xml.slice(0, at).split('\n').length} is not valid XML`,
  )
