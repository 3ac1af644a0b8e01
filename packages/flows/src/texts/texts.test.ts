// Texts of a document in several languages: their keys, edits, fallbacks, and files for translators.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from '../edits/edit.ts'
import { listTexts } from './catalogue.ts'
import { readCsv, TextFileError, writeCsv } from './csv-file.ts'
import {
  findText,
  listFallbacks,
  openLanguage,
  openLanguages,
  toLanguageTag,
} from './languages.ts'
import {
  toNewLanguage,
  toRemovedLanguage,
  toTextEdits,
  withTextKeys,
} from './text-edits.ts'
import { exportCsv, exportXliff, planImport, readTextFile } from './transfer.ts'
import { readXliff, writeXliff } from './xliff.ts'

const options = [
  { label: 'Red', value: 'red', synonyms: ['crimson'] },
  { label: 'Blue', value: 'blue/1' },
]
const ask = {
  type: 'capture',
  kind: 'singleChoice',
  question: 'Which?',
  options,
  into: 'user.c',
}
const carousel = {
  type: 'carousel',
  items: [
    {
      title: 'One',
      imageUrl: 'https://a.test',
      actions: [{ label: 'Buy', value: 'buy' }],
    },
  ],
  metadata: { title: 'not for people' },
}
const toDocument = (cards: object[], more: object = {}) => ({
  kind: 'bot',
  flows: { main: { nodes: { start: { type: 'start', cards } } } },
  ...more,
})
const german = (texts: object) => ({
  languages: { default: 'en', translations: { de: texts } },
})

test('names texts by the key of their card, and options by their values', () => {
  const cards = [
    { type: 'send', message: 'Hi', textKey: 'hi' },
    ask,
    { type: 'send', message: carousel, textKey: 'shop' },
    { type: 'log', message: 'not for people' },
    { type: 'handoff', message: 'Wait', reason: 'not for people' },
  ]
  const texts = listTexts(
    toDocument(cards, { settings: { defaults: { retryMessage: 'Again' } } }),
  )
  expect(texts.map(({ key, text }) => [key, text])).toEqual([
    ['hi/message', 'Hi'],
    ['main.start.1/question', 'Which?'],
    ['main.start.1/options/red/label', 'Red'],
    ['main.start.1/options/red/synonyms/0', 'crimson'],
    ['main.start.1/options/blue~11/label', 'Blue'],
    ['shop/message/items/0/title', 'One'],
    ['shop/message/items/0/actions/buy/label', 'Buy'],
    ['main.start.4/message', 'Wait'],
    ['$settings/retryMessage', 'Again'],
  ])
  expect(texts[3]!.pointer).toBe('/flows/main/nodes/start/cards/1/options/0/synonyms/0')
})

test('lists the sentences of the engine that captures without a message use', () => {
  const captures = ['number', 'boolean', 'confirmation'].map((kind) => ({
    type: 'capture',
    kind,
  }))
  const own = { type: 'capture', kind: 'email', retryMessage: 'No!' }
  expect(listTexts(toDocument([...captures, own])).map(({ key }) => key)).toEqual([
    'main.start.3/retryMessage',
    '$standard/number',
    '$standard/confirmation',
    '$standard/yes',
    '$standard/no',
    '$standard/reading',
  ])
})

test('bears documents of any form', () => {
  for (const value of [
    null,
    1,
    'x',
    [],
    { flows: [null] },
    { flows: { a: { nodes: { b: null } } } },
  ])
    expect(listTexts(value)).toEqual([])
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (card, more) => {
      const document = {
        flows: { a: { nodes: { b: { cards: [card, more] } } } },
        languages: more,
      }
      expect(Array.isArray(listTexts(document))).toBe(true)
      expect(exportCsv(document)).toContain('Key')
    }),
  )
})

test('gives a card its key with its first translation, which follows the card', () => {
  const document = toDocument([ask, { type: 'send', message: 'Hi' }], german({}))
  const change = { key: 'main.start.1/message', language: 'de', text: 'Hallo' }
  const { edits, rejected } = toTextEdits(document, [change])
  expect(rejected).toEqual([])
  const changed = applyEdits(document, edits) as typeof document
  const { cards } = changed.flows.main.nodes.start
  const moved = toDocument([cards[1]!, cards[0]!], {
    languages: (changed as { languages?: object }).languages,
  })
  const { translations } = (changed as unknown as ReturnType<typeof german>).languages
  const find = (given: object) =>
    openLanguage('de', translations.de as never).find(
      listTexts(given).find(({ text }) => text[0] === 'H')!,
    )
  expect(find(moved)).toEqual({ state: 'translated', text: 'Hallo' })
  const edited = toDocument([{ ...cards[1]!, message: 'Hello' }])
  expect(find(edited)).toEqual({ state: 'outdated', text: 'Hallo' })
  const again = toTextEdits(changed, [
    { ...change, key: `${(cards[1] as { textKey?: string }).textKey}/message` },
  ])
  expect(again.edits).toHaveLength(1)
  expect(toTextEdits(changed, [change])).toEqual(again)
})

test('changes originals where they are, and rejects what it does not know', () => {
  const document = toDocument(
    [{ type: 'send', message: 'Hi', textKey: 'hi' }],
    german({}),
  )
  const change = (key: string, language: string, text: string | null) => ({
    key,
    language,
    text,
  })
  const { edits, rejected } = toTextEdits(document, [
    change('hi/message', 'en', 'Hello'),
    change('hi/message', 'en', ' '),
    change('hi/message', 'fr', 'Salut'),
    change('ho/message', 'de', 'Ho'),
    change('__proto__', 'de', 'x'),
    change('hi/message', '__proto__', 'x'),
  ])
  expect(edits).toEqual([
    { op: 'set', pointer: '/flows/main/nodes/start/cards/0/message', value: 'Hello' },
  ])
  expect(rejected.map(({ reason }) => reason)).toEqual([
    'empty',
    'language',
    'key',
    'key',
    'language',
  ])
})

test('adds and removes languages', () => {
  const document = toDocument([])
  const first = applyEdits(document, toNewLanguage(document, 'de', 'en'))
  expect(first).toMatchObject({ languages: { default: 'en', translations: { de: {} } } })
  const second = applyEdits(first, toNewLanguage(first, 'fr', 'en'))
  expect(applyEdits(second, [toRemovedLanguage('de')])).toMatchObject({
    languages: { default: 'en', translations: { fr: {} } },
  })
})

test('finds moved texts of a list by their original, and no text of a copied card by another one', () => {
  const entry = (original: string, text: string) => ({ text, original })
  const texts = openLanguage('de', {
    'a/items/0/title': entry('One', 'Eins'),
    'a/items/1/title': entry('Two', 'Zwei'),
  })
  expect(texts.find({ key: 'a/items/0/title', text: 'Two' }).text).toBe('Zwei')
  expect(texts.find({ key: 'a/items/0/title', text: 'Six' }).state).toBe('outdated')
  expect(texts.find({ key: 'a/items/0/title', text: 'Six', isShared: true }).state).toBe(
    'missing',
  )
  expect(texts.find({ key: 'a/items/0/title', text: 'One', isShared: true }).text).toBe(
    'Eins',
  )
})

const tag = fc.constantFrom(
  'de',
  'de-CH',
  'pt',
  'pt-BR',
  'zh',
  'zh-Hant',
  'zh-Hant-TW',
  'en',
  'en-GB',
)
const text = fc.oneof(fc.constantFrom('', ' ', '\n'), fc.string({ maxLength: 5 }))

test('falls back from a region to its language to the original, and never to an empty text', () => {
  expect(listFallbacks('zh-Hant-TW')).toEqual(['zh-Hant-TW', 'zh-Hant', 'zh'])
  expect(toLanguageTag('pt_br')).toBe('pt-BR')
  expect(toLanguageTag('no language')).toBeNull()
  const entry = fc.oneof(
    text,
    fc.record({ text, original: fc.option(text, { nil: undefined }) }),
  )
  const key = fc.constantFrom('a/message', 'a/question', '$standard/number')
  const translations = fc.dictionary(tag, fc.dictionary(key, entry))
  const isFilled = (one: string) => one.trim() !== ''
  fc.assert(
    fc.property(
      tag,
      fc.option(tag),
      translations,
      key,
      text.filter(isFilled),
      (...given) => {
        const [fallback, language, translations, key, original] = given
        const languages = { default: fallback, translations }
        const texts = openLanguages(languages)
        const found = findText({ key, text: original }, language, languages, texts)
        expect(isFilled(found)).toBe(true)
        const isIn = (one: string) =>
          found === texts.get(one)?.find({ key, text: original }).text
        const allowed = [...(language ? listFallbacks(language) : []), fallback]
        expect(found === original || allowed.some(isIn)).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
  const standard = { key: '$standard/yes', text: 'Yes' }
  const yes = (fallback: string, language: string | null, own = {}) => {
    const languages = { default: fallback, translations: own }
    return findText(standard, language, languages, openLanguages(languages))
  }
  expect(yes('en', 'de')).toBe('Yes')
  expect(yes('en', 'de-CH', { de: {} })).toBe('Ja')
  expect(yes('de', 'fr')).toBe('Ja')
  expect(yes('de', 'en-GB')).toBe('Yes')
  expect(yes('de', null, { de: { '$standard/yes': 'Klar' } })).toBe('Klar')
  const languages = {
    default: 'en',
    translations: { pt: { 'a/b': 'Olá' }, 'pt-BR': { 'a/b': ' ' } },
  }
  const find = (language: string) =>
    findText({ key: 'a/b', text: 'Hi' }, language, languages, openLanguages(languages))
  expect(['pt-BR', 'pt', 'fr', 'en-GB'].map(find)).toEqual(['Olá', 'Olá', 'Hi', 'Hi'])
})

test('writes files that spreadsheets do not run, and reads back what it wrote', () => {
  expect(writeCsv([['=1+1', '@user.name', 'a "b"', "'=x"]])).toBe(
    '\ufeff"\'=1+1","\'@user.name","a ""b""","\'\'=x"\r\n',
  )
  expect(readCsv('a;b\n"1;2";\r\n\n')).toEqual([
    ['a', 'b'],
    ['1;2', ''],
  ])
  expect(() => readCsv('a,b\n"x"y,1')).toThrow(TextFileError)
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom("'=", '=a', "''@"),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell)), (rows) => {
      const kept = rows.filter((cells) => cells.some((each) => each !== ''))
      expect(readCsv(writeCsv([['a', 'b', 'c'], ...kept]))).toEqual([
        ['a', 'b', 'c'],
        ...kept,
      ])
    }),
  )
})

test('writes XLIFF that protects variables, and reads what tools make of it', () => {
  const units = [
    { id: 'a/b', source: 'Hi {{ user.name }} & <you>', target: 'Hallo\n{{ user.name }}' },
  ]
  const file = writeXliff({ source: 'en', target: 'de', units })
  expect(file).toContain('Hi <ph id="1">{{ user.name }}</ph> &amp; &lt;you&gt;')
  expect(readXliff(file)).toEqual({ source: 'en', target: 'de', units })
  const foreign = `<?xml version="1.0"?><x:xliff xmlns:x='urn' version='1.2'><!-- <source> -->
    <x:file source-language="en" target-language="de"><x:body><x:group><x:trans-unit id='1'>
    <x:source><x:g id="1">A</x:g><x:x id="2"/>&#x42;</x:source><x:target><![CDATA[<b>]]></x:target>
    <x:alt-trans><x:target>other</x:target></x:alt-trans>
    </x:trans-unit></x:group></x:body></x:file></x:xliff>`
  expect(readXliff(foreign).units).toEqual([{ id: '1', source: 'AB', target: '<b>' }])
  const bomb = '<!DOCTYPE a [<!ENTITY b "c">]><xliff version="1.2"/>'
  const cut = file.slice(0, file.indexOf('</file>'))
  for (const wrong of [
    bomb,
    cut,
    '<xliff version="2.0">',
    '<xliff version="1.2"/>',
    '<a',
    '<a b=c>',
  ])
    expect(() => readXliff(wrong)).toThrow(TextFileError)
})

test('plans an import: changes, unknown texts, earlier originals, lost variables', () => {
  const cards = [
    { type: 'send', message: 'Hi {{ user.name }}', textKey: 'hi' },
    { type: 'send', message: 'Bye', textKey: 'bye' },
  ]
  const document = toDocument(
    cards,
    german({ 'bye/message': { text: 'Tschüss', original: 'Bye' } }),
  )
  for (const file of [exportCsv(document), exportXliff(document, 'de')]) {
    expect(planImport(document, readTextFile(file))).toMatchObject({
      changes: [],
      same: 1,
    })
    const row = (key: string, text: string) => ({
      key,
      language: 'de',
      text,
      original: 'Bye',
    })
    const read = [
      ...readTextFile(file),
      row('bye/message', 'Adé'),
      row('old/message', 'Alt'),
    ]
    const plan = planImport(document, read)
    expect(plan.changes).toMatchObject([
      { key: 'bye/message', text: 'Adé', before: 'Tschüss' },
    ])
    expect(plan.unknown.map(({ key }) => key)).toEqual(['old/message'])
  }
  const csv =
    'Key,Place,en (original),de\nhi/message,,Hello {{ user.name }},Hallo {{ user.nmae }}\n'
  const plan = planImport(document, readTextFile(csv))
  expect(plan).toMatchObject({ outdated: ['hi/message'], variables: ['hi/message'] })
  const changed = applyEdits(document, toTextEdits(document, plan.changes).edits)
  const { translations } = (changed as unknown as ReturnType<typeof german>).languages
  const [hi] = listTexts(document)
  expect(openLanguage('de', translations.de as never).find(hi!).state).toBe('outdated')
  expect(() => readTextFile('a,b\n1,2')).toThrow('first row')
  expect(() => readTextFile('Key\ufffd')).toThrow('UTF-8')
})

test('gives cards keys before an export, and takes no text for a card at the place of another', () => {
  const cards = [
    { type: 'send', message: 'Hi' },
    { type: 'send', message: 'Hi' },
  ]
  const document = toDocument(cards, german({}))
  const keyed = withTextKeys(document)
  expect(new Set(listTexts(keyed.document).map(({ key }) => key)).size).toBe(2)
  expect(listTexts(keyed.document)[0]!.key).toMatch(/^start-[0-9a-z]{6}\/message$/)
  expect(withTextKeys(keyed.document).edits).toEqual([])
  const entry = {
    key: 'main.start.0/message',
    language: 'de',
    text: 'Hallo',
    original: 'Bye',
  }
  expect(planImport(document, [entry])).toMatchObject({ changes: [], unknown: [entry] })
  expect(planImport(document, [{ ...entry, original: 'Hi' }]).changes).toHaveLength(1)
})
