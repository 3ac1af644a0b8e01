// Checks the code blocks of all pages without running them: shell by bash and by the parser of the command
// line, requests by the contract, JSON, YAML and JavaScript by their parsers, documents by the compiler of
// flows. `tutorials.test.ts` and `documents-run.test.ts` run them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Command } from 'commander'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { operationCommand } from '../packages/cli/src/api/operation-command.ts'
import { fieldsOf } from '../packages/cli/src/api/operation-fields.ts'
import { findOperation, operations } from '../packages/cli/src/api/operations.ts'
import { createProgram } from '../packages/cli/src/program.ts'
import { cardShapes, checkDocument, DocumentError } from '../packages/flows/src/index.ts'
import { parseScripts } from '../packages/flows/src/testing/script.ts'
import {
  type Block,
  isOutput,
  pagesIn,
  readBlocks,
  repository,
} from '../packages/server/test/support/documents.ts'
import { commandsIn } from '../packages/server/test/support/shell-words.ts'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...pagesIn('docs'),
  ...pagesIn('packages/cli/templates').filter((path) => path.endsWith('/README.md')),
]
const blocks = pages.flatMap(readBlocks)
const blocksIn = (...languages: string[]) =>
  blocks.filter(({ language }) => languages.includes(language))

/** Returns the reasons why checks of blocks throw, with the places. */
async function findFailures<Item extends { place: string }>(
  items: Item[],
  check: (item: Item) => unknown,
): Promise<string[]> {
  expect(items.length).toBeGreaterThan(0)
  const failures = await Promise.all(
    items.map(async (item) => {
      try {
        await check(item)
        return []
      } catch (error) {
        return [`${item.place}: ${(error as Error).message}`]
      }
    }),
  )
  return failures.flat()
}

/** Languages without a parser among the dependencies, or without a syntax. */
const unchecked = ['haproxy', 'html', 'ini', 'md', 'sql', 'text']
const checked = ['sh', 'json', 'yaml', 'js', 'ts', 'jsx']

test('each block names a known language', () => {
  const known = [...checked, ...unchecked]
  const unknown = blocks.filter(({ language }) => !known.includes(language))
  expect(unknown.map(({ place, language }) => `${place}: ${language}`)).toEqual([])
})

test('shell blocks are valid for bash', () => {
  const placeholder = /<[a-z][\w |-]*>/gi
  const input = blocksIn('sh')
    .map(({ text }, i) => `block${i}() {\n${text.replaceAll(placeholder, 'value')}}`)
    .join('\n')
  execFileSync('bash', ['-n'], { input, stdio: 'pipe' })
  expect(() => execFileSync('bash', ['-n'], { input: 'if', stdio: 'pipe' })).toThrow()
})

const calls = blocksIn('sh').flatMap(({ place, text }) =>
  commandsIn(text).map((words) => ({ place, words })),
)
const inline = pages.flatMap((path) =>
  [...readFileSync(repository + path, 'utf8').matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(
    ([, code]) => ({ place: path, code: code! }),
  ),
)

/** Returns the arguments of a call of the command line; null for calls of other programs. */
function toArguments([program, ...words]: string[]): string[] | null {
  if (program === 'botstead') return words
  const [script, separator] = words.filter(
    (word) => word !== 'run' && word !== '--silent',
  )
  if (program !== 'npm' || script !== 'botstead') return null
  return separator === '--' ? words.slice(words.indexOf('--') + 1) : []
}

test('scripts that blocks run with npm or node exist', () => {
  const folders = [
    '',
    'packages/cli/templates/integration/',
    'packages/cli/templates/sdk-bot/',
  ]
  const scripts = folders.flatMap((folder) =>
    Object.keys(
      JSON.parse(readFileSync(`${repository}${folder}package.json`, 'utf8')).scripts,
    ),
  )
  const exists = ([program, ...words]: string[]) => {
    const [first, name] = words.filter((word) => word !== '--silent')
    if (program === 'npm' && first === 'run') return scripts.includes(name!)
    return (
      program !== 'node' ||
      !/^(?:scripts|bench)\//.test(first!) ||
      existsSync(repository + first)
    )
  }
  expect(calls.filter(({ words }) => !exists(words))).toEqual([])
  expect(exists(['npm', 'run', 'biuld'])).toBe(false)
  expect(exists(['node', 'scripts/biuld.js'])).toBe(false)
})

const measuring: Record<string, string> = {
  bench: readFileSync(`${repository}bench/src/main.ts`, 'utf8'),
  lab: readFileSync(`${repository}bench/src/lab/main.ts`, 'utf8'),
}

/** Returns the arguments of the benchmarks and of the lab that they do not know, and that are no values. */
function unknownArguments([program, run, name = '', _, ...args]: string[]): string[] {
  const source = program === 'npm' && run === 'run' ? measuring[name] : undefined
  if (source === undefined) return []
  const isKnown = (word: string) =>
    /^(?:\d+$|\.)/.test(word) || new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(source)
  return args.filter((word) => !isKnown(word))
}

test('options and parts of the benchmarks and of the lab exist', () => {
  expect(calls.flatMap(({ words }) => unknownArguments(words))).toEqual([])
  const wrong = ['npm', 'run', 'bench', '--', '--only', 'trns', '--quik']
  expect(unknownArguments(wrong)).toEqual(['trns', '--quik'])
})

test('calls of the command line have commands and options that exist', async () => {
  const inText = inline
    .filter(({ code }) => /^(?:npm run botstead -- |botstead )[a-z<]/.test(code))
    .flatMap(({ place, code }) => commandsIn(code).map((words) => ({ place, words })))
  const toArgs = ({ place, words }: { place: string; words: string[] }) => {
    const args = toArguments(words)
    return args?.length && !/[<…]/.test(args[0]!) ? [{ place, args }] : []
  }
  expect(await findFailures(calls.flatMap(toArgs), ({ args }) => parse(args))).toEqual([])
  // Texts may name a command without its arguments.
  const isKnown = ({ args }: { args: string[] }) =>
    args.length > 1 ? parse(args) : findCommand(createProgram(), args)
  expect(await findFailures(inText.flatMap(toArgs), isKnown)).toEqual([])
  for (const wrong of [['bot'], ['bots', 'lists'], ['deploy'], ['chat', '--traces']])
    expect(() => parse(wrong), wrong.join(' ')).toThrow()
})

/** Throws if the command line would reject the arguments. */
function parse(args: string[]): void {
  if (args.includes('--help') || args[0] === 'help') return
  const [command, rest] = findCommand(createProgram(), args)
  const [name, ...ofOperation] = rest
  if (command.name() === 'api' && name && !name.startsWith('-')) {
    const operation = findOperation(name)
    parseOptions(operationCommand(operation, fieldsOf(operation)), ofOperation)
  } else parseOptions(command, rest)
}

function findCommand(parent: Command, args: string[]): [Command, string[]] {
  const [name, ...rest] = args
  const found = parent.commands.find((one) => one.name() === name)
  if (found) return findCommand(found, rest)
  const usual = parent.commands.find((one) => one.name() === 'list')
  if (parent.commands.length === 0) return [parent, args]
  if (usual && (name === undefined || name.startsWith('-'))) return [usual, args]
  // Such as `migrate`, which also has the verb `cloud`.
  if (parent.parent && !usual && (name === undefined || name.startsWith('-')))
    return [parent, args]
  throw new Error(`there is no command "${args.join(' ')}"`)
}

function parseOptions(command: Command, args: string[]): void {
  command.configureOutput({ writeErr: () => {} }).exitOverride((error) => {
    throw error
  })
  const { operands, unknown } = command.parseOptions(args)
  const { registeredArguments } = command
  const required = registeredArguments.filter((one) => one.required).length
  const most = registeredArguments.at(-1)?.variadic
    ? Infinity
    : registeredArguments.length
  const call = `${command.name()} ${args.join(' ')}`
  if (unknown.length > 0)
    throw new Error(`unknown option in "${call}": ${unknown.join(' ')}`)
  if (operands.length < required) throw new Error(`"${call}" lacks an argument`)
  if (operands.length > most) throw new Error(`"${call}" has too many arguments`)
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

test('requests with curl have methods, paths and bodies of the contract', async () => {
  const curls = blocksIn('sh').flatMap(({ place, text }) =>
    commandsIn(text)
      .filter(([program]) => program === 'curl')
      .map((words) => ({ place, request: toRequest(words, text) })),
  )
  expect(await findFailures(curls, ({ request }) => checkRequest(request))).toEqual([])
  expect(() => checkRequest({ method: 'POST', path: '/v1/admin/bot' })).toThrow()
  const wrong = {
    method: 'POST',
    path: '/v1/platform/handoffs',
    body: '{"conversation": ""}',
  }
  expect(() => checkRequest(wrong)).toThrow()
})

interface CurlRequest {
  method: string
  path: string
  body?: string
}

function toRequest(words: string[], block: string): CurlRequest {
  const after = (...flags: string[]) =>
    words[words.findIndex((one) => flags.includes(one)) + 1]!
  const has = (...flags: string[]) => words.some((one) => flags.includes(one))
  const data = ['-d', '--data', '--data-binary']
  const url = words.find((one) => /^(?:https?:|\$\{?[A-Z]+|<)/.test(one))!
  const resolved = url.replace(/^\$\{?(\w+)\}?/, (variable, name) => {
    const [, value] = new RegExp(`\\b${name}=["']?([^\\s"'$]+)`).exec(block) ?? []
    return value ?? (name === 'CHAT' ? '/chat/id' : variable)
  })
  const body = has(...data) ? after(...data) : undefined
  const usualMethod = body === undefined ? 'GET' : 'POST'
  return {
    method: has('-X') ? after('-X') : usualMethod,
    path: resolved.replace(/^https?:\/\/[^/]+/, '').replace(/^\$URL/, ''),
    ...(body !== undefined && { body }),
  }
}

function findRoute(method: string, path: string) {
  const segments = path.split('?')[0]!.split('/')
  const route = operations.find(
    (one) =>
      one.method === method &&
      one.path.split('/').length === segments.length &&
      one.path
        .split('/')
        .every((part, i) => part === segments[i] || part.startsWith('{')),
  )
  if (!route) throw new Error(`no operation has the path ${method} ${path}`)
  return route
}

/** Paths that are no operations of the contract. */
const otherPaths = /^(?:\$WEBHOOK$|<webhook>$|\/v1\/schemas\/bot\.json$)/

function checkRequest({ method, path, body }: CurlRequest): void {
  if (otherPaths.test(path)) return
  const { body: shape } = findRoute(method, path)
  if (body === undefined || body.startsWith('@') || !shape) return
  const value = JSON.parse(body)
  if (!ajv.validate(shape, value))
    throw new Error(`${method} ${path}: ${ajv.errorsText()}`)
}

test('paths of the API in texts exist', async () => {
  const paths = inline.flatMap(({ place, code }) => {
    const [, method, path] =
      /^(GET|POST|PUT|DELETE|PATCH) (\/v1\/[^\s?`…]*)(?:\?\S*)?$/.exec(code) ?? []
    return path && !otherPaths.test(path) ? [{ place, method: method!, path }] : []
  })
  expect(
    await findFailures(paths, ({ method, path }) => findRoute(method, path)),
  ).toEqual([])
})

test('JSON blocks are JSON; documents, fields and cards are valid', async () => {
  expect(await findFailures(blocksIn('json'), ({ text }) => checkJson(text))).toEqual([])
  expect(() => checkJson('{ "type": "send" }')).toThrow('/message')
  expect(() => checkJson('"hooks": [{ "kind": "before" }]')).toThrow('/hooks/0')
  expect(() => checkJson('{ "kind": "bot", "version": 2, "flows": {} }')).toThrow()
})

/** Fields without braces are those of a document, or of a node: `exits`. */
function checkJson(text: string): void {
  const isFields = text.startsWith('"')
  const value = JSON.parse(isFields ? `{${text}}` : text) as Record<string, unknown>
  if (value.kind === 'bot') checkWhole(value)
  if (Object.hasOwn(cardShapes, String(value.type))) checkShape(withCards([value]))
  if (isFields && !value.exits) checkShape({ ...withCards([]), ...value })
}

const withCards = (cards: object[]) => ({
  kind: 'bot',
  version: 2,
  flows: { main: { nodes: { start: { type: 'start', cards } } } },
})

function checkWhole(document: object): void {
  try {
    checkDocument(document)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new Error(
      error.problems.map(({ pointer, message }) => `${pointer} ${message}`).join('\n'),
    )
  }
}

/** Names in a fragment may be those of a document around it. */
function checkShape(document: object): void {
  try {
    checkDocument(document)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const wrong = error.problems.filter(({ message }) =>
      /is missing|not a known field|must be/.test(message),
    )
    if (wrong.length > 0)
      throw new Error(
        wrong.map(({ pointer, message }) => `${pointer} ${message}`).join('\n'),
      )
  }
}

test('YAML blocks are YAML; documents and conversation tests are valid', async () => {
  const check = ({ text, place }: Block) => {
    for (const document of parseAllDocuments(text)) {
      if (document.errors[0]) throw document.errors[0]
      const value = document.toJS() as Record<string, unknown>
      if (value.kind === 'bot') checkWhole(value)
      if (value.steps) parseScripts(text, place)
    }
  }
  expect(await findFailures(blocksIn('yaml'), check)).toEqual([])
})

test('JavaScript and TypeScript blocks parse', async () => {
  const check = async ({ text, language }: Block) => {
    const parseAs = (code: string) =>
      transform(code, { loader: language as 'ts', logLevel: 'silent' })
    // Some blocks are entries of an object.
    await parseAs(text).catch((error) =>
      parseAs(`({${text}})`).catch(() => Promise.reject(error)),
    )
  }
  expect(await findFailures(blocksIn('js', 'ts', 'jsx'), check)).toEqual([])
})

test('the expected output of a command may leave out texts and lines', () => {
  const expected = 'A…  b\n…\nlast …'
  expect(isOutput('A1   b\nlast line', expected)).toBe(true)
  expect(isOutput('A1  b\n\nmore\nlast line\n', expected)).toBe(true)
  for (const actual of [
    'A1 c\nlast line',
    'A1  b\nx',
    'A1  b\nlast line\nx',
    'x\nA1  b\nlast l',
  ])
    expect(isOutput(actual, expected), actual).toBe(false)
})
