// Each translation has all texts of the English catalogue, and its functions show the same values.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ESTree, parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import * as english from './en/index.ts'

/**
 * Texts that other languages may still have in English, such as `inbox.title`: people who do not speak all
 * languages copy the English text, and name it here. Who translates a text into the last language removes it.
 */
const untranslated: string[] = []

/** Longer texts are sentences, which differ in each language. */
const maxEqualLength = 25
/** Longer texts that are the same in some languages: names and code. */
const equal = ['serverSettings.mail.fromPlaceholder', 'signIn.command']

/** Values of parameters, by their types. */
const samples: Record<string, unknown[]> = {
  number: [0, 1, 2, 5, 1_234_567],
  string: ['Ana'],
  boolean: [true, false],
  undefined: [undefined],
  null: [null],
  'string[]': [['Ana'], ['Ana', 'Bo']],
  'number[]': [[5], [5, 6]],
  "File['status']": ['upload_pending', 'indexing_failed'],
  "KnowledgeSource['pages']": [{ total: 5, done: 2, failed: 1 }],
  'Record<string, number>': [{ carried: 5, changed: 6, omitted: 7 }],
  CuratedMatch: [{ question: 'Ana', kind: 'words', score: 1 }],
  FailedCell: [{ rowId: 5, column: 'Ana', error: 'Bo' }],
  InWords: [
    { matched: ['Ana'], vectorScore: 0.5, minScore: 0.25 },
    { matched: [], minScore: 0.25 },
  ],
  ModelUse: [{ inputTokens: 5, outputTokens: 6, cost: 0.25, cached: true }],
  NodeLabel: [
    { name: 'Ana', type: 'Bo', cards: 5, problems: 6, isPassed: true, isUntested: true },
    { name: 'Ana', type: 'Bo', cards: 1, problems: 0, isPassed: false, counts: 'Clara' },
  ],
  "Pick<Feedback, 'rating' | 'comment'>": [
    { rating: 'positive', comment: 'Ana' },
    { rating: 4, comment: undefined },
  ],
  RejectedAnswer: [{ line: 5, message: 'Ana' }],
  SavedVersion: [{ name: 'Ana', number: 5 }, { name: 'Ana' }],
  '{ passed: number; ended: number }': [{ passed: 5, ended: 6 }],
}
/** Distinct values, by the position of the parameter, to find in the text. */
const distinct: Record<string, unknown[]> = {
  number: [5, 6, 7, 8],
  string: ['Ana', 'Bo', 'Clara', 'Dora'],
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const codes = readdirSync(folder).filter(
  (name) => name !== 'en' && existsSync(`${folder}${name}/index.ts`),
)

type Show = (...args: unknown[]) => unknown

/** Returns all texts and functions by their paths, such as `common.units.bytes.0`. */
const listTexts = (
  value: unknown,
  path: string[] = [],
): [path: string, text: unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => listTexts(inner, [...path, key]))
    : [[path.join('.'), value]]

/** Returns the arguments of several calls, with all samples of each parameter. */
function listCalls(path: string): unknown[][] {
  const types = findTypes(path.split('.'))
  const first = types.map((type, i) => distinct[type]?.[i] ?? toSamples(type)[0])
  const others = types.flatMap((type, i) =>
    toSamples(type).map((sample) => first.with(i, sample)),
  )
  return [first, ...others]
}

function toSamples(type: string): unknown[] {
  if (samples[type]) return samples[type]
  if (type.includes(' | ')) return type.split(' | ').flatMap(toSamples)
  const [, literal] = /^'(.*)'$/.exec(type) ?? []
  if (literal === undefined) throw new Error(`Add samples of the type ${type}`)
  return [literal]
}

const isReadable = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  !/undefined|\bnull\b|NaN|\[object|=>/.test(text)

/** Returns the names and numbers of a call that the text shows. */
function findArguments(text: string, args: unknown[]): string[] {
  const known = JSON.stringify(args).match(/\b(?:Ana|Bo|Clara|Dora|\d{1,3})\b/g) ?? []
  const words = text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
  return known.map((word) => word.toLowerCase()).filter((word) => words.includes(word))
}

/** Without default words for people, such as `there` in `{{user.name|there}}`. */
const codeIn = (text: string) =>
  (text.match(/`[^`]+`|\{\{.*?\}\}|\bBOTSTEAD_\w+/g) ?? []).map((code) =>
    code.replace(/"[^"]*"|\|.*/, ''),
  )

function findFault(path: string, before: unknown, after: unknown): string | null {
  if (typeof before !== typeof after) return `${path} is missing`
  if (typeof before === 'string') return findTextFault(path, before, after as string)
  for (const args of listCalls(path)) {
    const [own, translated] = [before, after].map((show) => (show as Show)(...args))
    const call = `${path}(${JSON.stringify(args).slice(1, -1)})`
    if (!isReadable(own))
      return `${call} is ${own} in English: add its arguments to this test`
    if (!isReadable(translated)) return `${call} is ${translated}`
    const lost = findArguments(own, args).filter(
      (word) => !translated.toLowerCase().includes(word),
    )
    if (lost.length > 0) return `${call} does not show ${lost.join(', ')}: ${translated}`
    const fault = findTextFault(call, own, translated)
    if (fault !== null) return fault
  }
  return null
}

function findTextFault(path: string, before: string, after: string): string | null {
  const isEnglish =
    before === after && before.length > maxEqualLength && before.includes(' ')
  const isKnown = [...equal, ...untranslated].some((one) => path.split('(')[0] === one)
  if (isEnglish && !isKnown) return `${path} is English`
  if (before !== '' && !isReadable(after)) return `${path} is ${after}`
  const lost = codeIn(before).filter((code) => !codeIn(after).includes(code))
  return lost.length > 0 ? `${path} lacks ${lost.join(', ')}` : null
}

describe.each(codes)('the translation %s', (code) => {
  test('has all texts, and shows all values', async () => {
    const translation = await import(`./${code}/index.ts`)
    const translated = new Map(listTexts({ ...translation }))
    const all = listTexts({ ...english })
    expect([...translated.keys()]).toEqual(all.map(([path]) => path))
    const faults = all.map(([path, text]) => findFault(path, text, translated.get(path)))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
    const left = untranslated.filter((path) => isSame(path, translated))
    if (left.length > 0)
      console.log(`${code} has ${left.length} texts in English: ${left.join(', ')}`)
  })
})

test('only texts that are English somewhere are named as untranslated', async () => {
  const translations = await Promise.all(
    codes.map((code) => import(`./${code}/index.ts`)),
  )
  const all = translations.map((translation) => new Map(listTexts({ ...translation })))
  expect(untranslated.filter((path) => !all.some((one) => isSame(path, one)))).toEqual([])
})

const englishTexts = new Map(listTexts({ ...english }))
const isSame = (path: string, translated: Map<string, unknown>) =>
  String(translated.get(path)) === String(englishTexts.get(path))

// The types of parameters, which only the source has.

type Node = ESTree.Node
/** The values of the constants and functions of all English modules, by name. */
const declared = new Map<string, Node>()
const sources = new Map<Node, string>()

for (const path of readdirSync(`${folder}en`, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
  const source = readFileSync(`${folder}en/${path}`, 'utf8')
  for (const statement of parseSync(path, source).program.body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || !init) continue
      declared.set(id.name, init)
      sources.set(init, source)
    }
  }
}

/** Returns the types of the parameters of the function at this path of the catalogue. */
function findTypes([name = '', ...path]: string[]): string[] {
  let source = ''
  const enter = (node: Node): Node => {
    source = sources.get(node) ?? source
    if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
      return enter(node.expression)
    if (node.type === 'CallExpression') return enter(node.arguments[1] as Node)
    return node.type === 'Identifier' ? enter(declared.get(node.name)!) : node
  }
  let node = enter(declared.get(name)!)
  for (const key of path) {
    if (node.type !== 'ObjectExpression')
      throw new Error(`${name}.${path.join('.')} is in no object`)
    const found = node.properties.find(
      (one) => one.type === 'Property' && toKey(one.key as Node) === key,
    )
    node = enter((found as ESTree.ObjectProperty).value)
  }
  const { params } = node as ESTree.ArrowFunctionExpression
  return params.map((parameter) => {
    const { start, end } = (parameter as ESTree.BindingIdentifier).typeAnnotation!
      .typeAnnotation
    return source.slice(start, end)
  })
}

const toKey = (node: Node) =>
  node.type === 'Identifier' ? node.name : String((node as ESTree.StringLiteral).value)
