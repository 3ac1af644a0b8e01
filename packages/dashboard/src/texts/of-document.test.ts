// Each text of packages/flows that the page of flows shows has a translation, with its code and values.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ESTree, parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { toBotSchema } from '../../bot-schema.ts'
import { listFields, type Schema } from '../features/studio/forms/schema-fields.ts'
import { toSentences, translateSentence } from './of-document.ts'

const codes = readdirSync(new URL('.', import.meta.url)).filter((name) =>
  /^(?!en)\w\w$/.test(name),
)

/** Returns the helps of all forms. */
function listHelps(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as Schema
  const own = typeof properties === 'object' ? listFields(schema as Schema) : []
  return [...own.map(({ help }) => help), ...Object.values(schema).flatMap(listHelps)]
}
const helps = [...new Set(listHelps(JSON.parse(JSON.stringify(toBotSchema()))))].filter(
  Boolean,
)

const flows = fileURLToPath(new URL('../../../flows/src/', import.meta.url))
/** Files with sentences of the check. */
const sources = [
  ...readdirSync(`${flows}check`)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => `check/${name}`),
  'agent/agent-check.ts',
  'captures/locales.ts',
  'code/template.ts',
  'wizards/check.ts',
]
/** Their other texts: errors of running bots, code, and the beginning of a name. */
const others = /^(?:The (?:node )?\{\} |Check for a loop|'use strict'|Not imported$)/

type Node = ESTree.Node

/** Returns a text of the source with `{}` for each value; null for another expression. */
function toSentence(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked).join('{}')
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null
  const [left, right] = [toSentence(node.left as Node), toSentence(node.right)]
  return left === null && right === null ? null : `${left ?? '{}'}${right ?? '{}'}`
}

function listSentences(node: unknown, isInside = false): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type } = node as Node
  if (type?.startsWith('TS') || type === 'ImportDeclaration') return []
  const sentence = type === undefined ? null : toSentence(node as Node)
  const inner = Object.values(node).flatMap((each) =>
    listSentences(each, sentence !== null && isText(each)),
  )
  return sentence === null || isInside ? inner : [sentence, ...inner]
}
const isText = (node: unknown) => toSentence(node as Node) !== null

const parse = (path: string) => parseSync(path, readFileSync(path, 'utf8')).program

const server = fileURLToPath(new URL('../../../server/src/features/', import.meta.url))
/** Files with problems of documents that only the server finds. */
const serverSources = [
  'studio/publishing.ts',
  'versions/bot-document.ts',
  'versions/document-check.ts',
  'versions/documented-plugins.ts',
  'versions/publication.ts',
]

/** Returns the messages of problems: of objects with a pointer and a message. */
function listMessages(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(listMessages)
  const { type, properties = [] } = node as Partial<ESTree.ObjectExpression>
  if (type !== 'ObjectExpression') return inner
  const values = new Map(
    properties.flatMap((one) =>
      one.type === 'Property' && one.key.type === 'Identifier'
        ? [[one.key.name, one.value as Node] as const]
        : [],
    ),
  )
  const message = values.has('pointer') ? values.get('message') : undefined
  const sentence = message ? toSentence(message) : null
  return sentence === null ? inner : [sentence, ...inner]
}

test('finds the problems of each file of the server', () => {
  const found = serverSources.map((path) => listMessages(parse(server + path)).length)
  expect(found).toEqual([1, 2, 1, 1, 1])
})

const texts = new Set([
  ...sources.flatMap((path) => listSentences(parse(flows + path))),
  ...serverSources.flatMap((path) => listMessages(parse(server + path))),
])
const sentences = [...texts].filter(
  (text) => /\w+ [\w"{]/.test(text) && !others.test(text),
)

const numbersIn = (text: string) =>
  text.replaceAll(/(?<=\d)[.,\s](?=\d)/g, '').match(/(?<!\{)\d+/g) ?? []
const codeIn = (text: string) => text.match(/`[^`]+`|\{\{ .*?\}\}|\{\d\}/g) ?? []

/** Returns code, values and numbers that the translation lacks. */
function findLost(english: string, translation = ''): string[] {
  if (translation.trim() === '') return [english]
  const numbers = numbersIn(translation)
  const lost = [
    ...codeIn(english).filter((code) => !translation.includes(code)),
    ...numbersIn(english).filter((number) => !numbers.includes(number)),
  ]
  return lost.map((part) => `${part}: ${english}`)
}

function numberValues(sentence: string): string {
  let position = 0
  return sentence.replaceAll('{}', () => `{${++position}}`)
}

describe.each(codes)('the translation %s', (code) => {
  test('has the helps of all fields, and no others', async () => {
    const { helps: translated } = await import(`./${code}/document.ts`)
    expect(Object.keys(translated).filter((text) => !helps.includes(text))).toEqual([])
    expect(helps.flatMap((help) => findLost(help, translated[help]))).toEqual([])
  })

  test('has the sentences of the check, and no others', async () => {
    const { problems } = await import(`./${code}/document.ts`)
    expect(Object.keys(problems).filter((text) => !texts.has(text))).toEqual([])
    const all = new Set([...sentences, ...Object.keys(problems)])
    const lost = [...all].flatMap((text) => findLost(numberValues(text), problems[text]))
    expect(lost).toEqual([])
  })
})

test('translates sentences with values, and parts of sentences in them', async () => {
  const { problems } = await import('./de/document.ts')
  const known = toSentences(problems)
  const translate = (message: string) => translateSentence(message, known)
  expect(translate('must be at least 5')).toBe('muss mindestens 5 sein')
  expect(
    translate(
      'names the node "waits", which is not in this flow. Add it, or correct the name',
    ),
  ).toBe(
    'nennt den Schritt „waits“; das gibt es nicht in diesem Ablauf. Fügen Sie es hinzu, oder ' +
      'korrigieren Sie den Namen',
  )
  expect(
    translate('uses the variable "$&", which is not declared. Did you mean `is empty`?'),
  ).toBe('verwendet die Variable „$&“, die es nicht gibt. Meinten Sie `is empty`?')
  expect(translate('names {text}, which is not a column. There are number, text')).toBe(
    'nennt {text}, aber das ist keine Spalte. Es gibt number, text',
  )
  expect(
    translate('The text is not a JavaScript expression: ""a" is empty +" is incomplete'),
  ).toBe('Der Text ist kein JavaScript-Ausdruck: „"a" is empty +“ ist unvollständig')
  expect(
    translate(
      'the bot has no knowledge base "faq": create it, or deploy with the command line',
    ),
  ).toContain('Der Bot hat keine Wissensdatenbank „faq“')
  expect(translate('A sentence that nobody knows')).toBe('A sentence that nobody knows')
})
