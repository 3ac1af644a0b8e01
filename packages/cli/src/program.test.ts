import { readdirSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { operationCommand } from './api/operation-command.ts'
import { fieldsOf } from './api/operation-fields.ts'
import { findOperation } from './api/operations.ts'
import { createProgram } from './program.ts'

/** Also a command that has another one below it: "migrate". */
const listLeaves = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.options.length > 0 ? [command] : []),
  ...command.commands.flatMap(listLeaves),
]
const leaves = createProgram().commands.flatMap(listLeaves)
const toName = (command: Command): string =>
  command.parent ? `${toName(command.parent)} ${command.name()}`.trim() : ''

function renderHelp(command: Command): string {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text) })
  command.outputHelp()
  return written.join('')
}

/** Removes the parts of a line that call other programs. */
const botsteadOnly = (line: string) =>
  line
    .replace(/\$\((?!botstead)[^)]*\)/g, '')
    .split(' | ')
    .filter((part) => part.includes('botstead'))
    .join()

/** Returns the options of the operation that a line calls. */
function operationOptions(line: string) {
  const [, name] = /botstead api (\w+\.\w+)/.exec(line) ?? []
  if (!name) return []
  const operation = findOperation(name)
  return [
    '--help',
    ...operationCommand(operation, fieldsOf(operation)).options.map(({ long }) => long),
  ]
}

/** Interactive commands, scripts, and `test`, which writes results with `--junit`. */
const withoutJson = ['start', 'chat', 'dev', 'test', 'completion']

test.each(leaves.map((command) => [toName(command), command] as const))(
  '%s has a description and examples with its own options',
  (name, command) => {
    expect(command.description()).not.toBe('')
    const help = renderHelp(command)
    const lines = /Examples:\n([\s\S]*)$/.exec(help)?.[1]?.trim().split('\n') ?? []
    expect(lines).not.toEqual([])
    const own = command.options.flatMap(({ long, short }) => [long, short])
    for (const line of lines.map(botsteadOnly)) {
      const options = [...own, ...operationOptions(line)]
      expect(line).toMatch(
        new RegExp(`botstead ${name.replace(/ list$/, '( list)?')}\\b`),
      )
      expect(
        line
          .match(/ --?[a-z][a-z-]*/g)
          ?.filter((option) => !options.includes(option.trim())) ?? [],
        line,
      ).toEqual([])
    }
    expect(own.includes('--json')).toBe(!withoutJson.includes(name))
  },
)

test('each list has --limit', () => {
  const lists = leaves.filter((command) =>
    /^list |^print the (log lines|trace|messages)/.test(command.description()),
  )
  expect(lists.map(toName)).toEqual(
    expect.arrayContaining(['bots list', 'logs', 'trace']),
  )
  const without = lists.filter(
    ({ options }) => !options.some(({ long }) => long === '--limit'),
  )
  expect(without.map(toName)).toEqual([])
})

test('the help of the program lists the exit codes', () => {
  expect(renderHelp(createProgram())).toMatch(
    /Exit codes:\n {2}0 {2}success\n {2}1 .*\n {2}2 /,
  )
})

test('no text shows an npx command that could download a package named botstead from the registry', () => {
  const root = new URL('../../../', import.meta.url)
  const folders = [
    'docs',
    'packages/cli/src',
    'packages/cli/templates',
    'packages/server/page',
    'packages/server/src',
    'examples',
  ]
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          /\.(md|ts|js|html)$/.test(path) && !/node_modules|dist|\.test\./.test(path),
      )
      .map((path) => `${folder}/${path}`),
  )
  const unsafe = [
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    ...files,
  ].filter((file) =>
    /npx (?!--no )[^\n]*botstead|npm exec (?!--no)[^\n]*botstead/.test(
      readFileSync(new URL(file, root), 'utf8'),
    ),
  )
  expect(unsafe).toEqual([])
})
