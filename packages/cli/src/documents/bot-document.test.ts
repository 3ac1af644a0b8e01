// Documents in files: JSON and YAML, and the lines of their problems.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliError } from '../failure.ts'
import { readDocument, WrongDocument, warningLines } from './bot-document.ts'
import { isDocument, withoutExtension } from './document-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-document-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'code', code: 'log.info("a")\nlog.info("b")\n' },
            { type: 'code', code: { file: 'c.js' } },
          ],
        },
      },
    },
  },
}
const yaml = `# A bot.
kind: bot
version: 2
flows:
  main:
    nodes:
      start:
        type: start
        cards:
          - type: code
            code: |
              log.info("a")
              log.info("b")
          - { type: code, code: { file: c.js } } # From a file.
`

test.each(['bot.yaml', 'bot.yml'])(
  'reads %s as the same document as bot.json',
  (name) => {
    const code = write('c.js', 'log.info("c")')
    const read = readDocument(write(name, yaml))
    expect(read.document).toEqual({ ...document, files: { 'c.js': 'log.info("c")' } })
    expect(read.document).toEqual(
      readDocument(write('bot.json', JSON.stringify(document))).document,
    )
    expect(read.sources).toEqual([join(folder, name), code])
    expect(read.findPosition('/flows/main/nodes/start/cards/1')).toEqual({
      line: 14,
      column: 13,
    })
  },
)

test('says if further checks follow after a correction', () => {
  write('c.js', 'log.info("c")')
  const toMessage = (change: object) => {
    try {
      readDocument(write('partial.json', JSON.stringify({ ...document, ...change })))
    } catch (error) {
      return (error as Error).message
    }
    return null
  }
  const more = '; further checks follow after the correction'
  expect(toMessage({ version: 3 })).toMatch(new RegExp(`has one problem${more}$`))
  expect(toMessage({ unknown: 1 })).toMatch(/has one problem$/)
})

test('reports the lines of problems in YAML', () => {
  const path = write(
    'wrong.yaml',
    yaml.replace('version: 2', 'version: 2\nhook: []').replace('start:', 'end:'),
  )
  expect(() => readDocument(path)).toThrow(
    expect.toSatisfy(
      (error) =>
        error instanceof WrongDocument &&
        error.lines[0]!.startsWith(`${path}:4:1 /hook is not a known`),
    ),
  )
})

test('reports a problem of a code file at its place in that file', () => {
  write('c.js', 'const a = 1\n  const b = = 2\n')
  const path = write('with-code.yaml', yaml)
  const line = expect.stringMatching(/c\.js:2:13 Expression expected$/)
  expect(() => readDocument(path)).toThrow(expect.objectContaining({ lines: [line] }))
})

test('warns at the place of an unknown member', () => {
  const path = write(
    'warned.yaml',
    yaml.replace(
      '            code: |',
      '            code: |\n              bot.name.lenght',
    ),
  )
  write('c.js', '')
  const declared = `variables: { bot: { name: { type: string } } }\n${yaml}`
  const declaredPath = write(
    'declared.yaml',
    declared.replace('log.info("a")', 'bot.name.lenght'),
  )
  expect(() => readDocument(path)).toThrow(WrongDocument)
  expect(warningLines(readDocument(declaredPath))).toEqual([
    expect.stringMatching(
      /declared\.yaml:12:\d+ \/flows\/main\/nodes\/start\/cards\/0\/code reads "bot\.name\.lenght".*`length`\? \(warning\)$/,
    ),
  ])
})

test('reports the line of a syntax error', () => {
  const broken = write('broken.yaml', 'kind: bot\nversion: [2\n')
  expect(() => readDocument(broken)).toThrow(CliError)
  expect(() => readDocument(broken)).toThrow(`${broken}:3:1 is not valid YAML: `)
  const json = write('broken.json', '{\n "kind": bot }\n\n')
  expect(() => readDocument(json)).toThrow(
    `${json}:2:10 is not valid JSON: Unexpected token 'b'`,
  )
})

test.each(['bot.json', 'bot.yaml', 'a/bot.yml'])('recognises %s as a document', (path) =>
  expect(isDocument(path)).toBe(true),
)

test.each(['bot.cjs', 'bot.js', 'bot', 'yaml', 'bot.yaml.js'])(
  'does not recognise %s as a document',
  (path) => expect(isDocument(path)).toBe(false),
)

test.each([
  ['bot.json', 'bot'],
  ['my.yml', 'my'],
  ['bot.yaml', 'bot'],
])('removes the extension of %s', (path, name) =>
  expect(withoutExtension(path)).toBe(name),
)
