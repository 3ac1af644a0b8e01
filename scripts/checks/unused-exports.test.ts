import { expect, test } from 'vitest'
import { findUnusedExports } from './unused-exports.js'

const path = 'packages/bots/src/bot.ts'
const find = (
  other: string,
  {
    text = 'export const bot = 1\n',
    entryPoints = [] as string[],
    declarations = [''],
  } = {},
) =>
  findUnusedExports(
    [
      { path, text },
      { text: other, path: 'a.ts' },
    ],
    { entryPoints, declarations },
  )
const finding = (name: string) =>
  `${path}: remove \`export\` from ${name}: no other file imports it`

test('finds an exported name that no other file imports', () => {
  expect(find('')).toEqual([finding('bot')])
  expect(
    find("import { other } from './bot.ts'\nimport { bot } from './other.ts'\n"),
  ).toEqual([finding('bot')])
})

test('finds values, functions, classes and types', () => {
  const text =
    'export async function run() {}\nexport function* each() {}\nexport class Bot {}\n' +
    'export interface Deps {}\nexport type Name = string\nconst own = 1\n'
  expect(find('', { text })).toEqual(['run', 'each', 'Bot', 'Deps', 'Name'].map(finding))
})

test.each([
  "import { bot } from './bot.ts'",
  "import First, {\n  type Other,\n  bot as renamed,\n} from '../src/bot.ts'",
  "import type { bot } from '../dist/bot.js'",
  "import * as all from './bot.ts'",
  "export { bot } from './bot.ts'",
  "export * from './bot.ts'",
  "import { bot } from '@botstead/bots/bot'",
  "const { bot } = await import('./bot.ts')",
  "(await import('./bot.ts')).bot()",
  "type Bot = typeof import('./bot.ts').bot",
  "`import { bot } from '$" + "{new URL('../dist/bot.js', import.meta.url)}'`",
])('allows a name that another file imports: %s', (other) => {
  expect(find(other)).toEqual([])
})

test('finds names of generated files', () => {
  const generated = {
    path: 'packages/bots/src/list.gen.ts',
    text: 'export const all = 1\n',
  }
  const findIn = (text: string) =>
    findUnusedExports([generated, { path: 'a.ts', text }], {
      entryPoints: [],
      declarations: [],
    })
  expect(findIn("import { all } from './list.gen.ts'\n")).toEqual([])
  expect(findIn("import { other } from './list.gen.ts'\n")).toHaveLength(1)
})

test('allows names of entry points and names in emitted declarations', () => {
  expect(find('', { entryPoints: [path] })).toEqual([])
  expect(find('', { declarations: ['let a: import("./bot.js").bot'] })).toEqual([])
})
