import { expect, test } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import type { DocumentError } from '../document/problems.ts'
import { checkDocument, findWarnings } from './check.ts'

const toDocument = (languages: unknown, cards: object[] = []) => ({
  kind: 'bot',
  version: 2,
  languages,
  variables: { user: { name: { type: 'string' } } },
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'send', message: 'Hi {{ user.name }}', textKey: 'hi' },
            ...cards,
          ],
        },
      },
    },
  },
})
const german = (texts: object) => ({ default: 'en', translations: { de: texts } })
const warn = (languages: unknown, cards?: object[]) =>
  findWarnings(checkDocument(toDocument(languages, cards)) as FlowDocument).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  )
const problems = (languages: unknown) => {
  try {
    checkDocument(toDocument(languages))
    return []
  } catch (error) {
    return (error as DocumentError).problems.map(
      ({ pointer, message }) => `${pointer} ${message}`,
    )
  }
}
const place = '/languages/translations/de/hi~1message'

test('accepts complete translations, also as objects', () => {
  expect(warn(german({ 'hi/message': 'Hallo {{ user.name }}' }))).toEqual([])
  expect(warn(german({ 'hi/message': { text: 'Hallo {{user.name}}' } }))).toEqual([])
})

test('warns of lost and misspelt variables at the translation', () => {
  expect(warn(german({ 'hi/message': 'Hallo' }))).toEqual([
    `${place} has no {{ user.name }}, which the original has. Add it`,
  ])
  expect(warn(german({ 'hi/message': 'Hallo {{ user.nmae }}' }))).toEqual([
    `${place} has no {{ user.name }}, which the original has. Add it`,
    `${place} has {{ user.nmae }}, which the original does not have. Did you mean \`user.name\`?`,
  ])
  expect(warn(german({ 'hi/message': 'Hallo {{ user.name }} {{' }))).toEqual([
    expect.stringContaining('without "}}"'),
  ])
})

test('warns of texts without a translation, earlier originals, unknown and shared keys', () => {
  expect(warn(german({}))).toEqual([
    '/languages/translations/de has no translation of 1 text: people with this language read the ' +
      'original. Translate them, or leave them',
  ])
  const entry = { text: 'Hallo {{ user.name }}', original: 'Hey' }
  expect(warn(german({ 'hi/message': entry, 'ho/message': 'Ho' }))).toEqual([
    '/languages/translations/de/ho~1message belongs to no text of the bot. Correct the key, or remove it',
    expect.stringContaining('has 1 translation of an earlier original'),
  ])
  const copy = { type: 'send', message: 'Hi {{ user.name }}', textKey: 'hi' }
  expect(warn({ default: 'en' }, [copy])).toEqual([
    expect.stringContaining('/cards/0/textKey is the key of several cards'),
    expect.stringContaining('/cards/1/textKey is the key of several cards'),
  ])
})

test('rejects unknown languages and expressions that do not compile', () => {
  expect(problems({ default: 'german language' })).toEqual([
    expect.stringContaining('/languages/default is not a language tag'),
  ])
  expect(problems({ default: 'en', translations: { 'pt-br': {} } })).toEqual([
    '/languages/translations/pt-br must be written as "pt-BR"',
  ])
  expect(problems(german({ 'hi/message': '{{ user. }}' }))).toEqual([
    expect.stringContaining(`${place} The text in {{ }} is not a JavaScript expression`),
  ])
})
