import { readdirSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { makeProgram } from './program.ts'

const leavesOf = (command: Command): Command[] =>
  command.commands.length ? command.commands.flatMap(leavesOf) : [command]
const leaves = leavesOf(makeProgram())
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : ''

function helpOf(command: Command): string {
  const said: string[] = []
  command.configureOutput({ writeOut: (text) => said.push(text) })
  command.outputHelp()
  return said.join('')
}

/** Without what other programs do in it. */
const ofOurs = (line: string) =>
  line
    .replace(/\$\((?!botstead)[^)]*\)/g, '')
    .split(' | ')
    .filter((part) => part.includes('botstead'))
    .join()

/** People and machines talk to these for a while; or their results have a form of their own (`test --junit`). */
const withoutJson = ['start', 'chat', 'dev', 'test']

test.each(leaves.map((command) => [nameOf(command), command] as const))(
  '%s says what it does, with examples that it understands',
  (name, command) => {
    expect(command.description()).not.toBe('')
    const help = helpOf(command)
    const lines = /Examples:\n([\s\S]*)$/.exec(help)?.[1]?.trim().split('\n') ?? []
    expect(lines).not.toEqual([])
    const options = command.options.flatMap(({ long, short }) => [long, short])
    for (const line of lines.map(ofOurs)) {
      expect(line).toMatch(new RegExp(`botstead ${name.replace(/ list$/, '( list)?')}\\b`))
      expect(
        line.match(/ --?[a-z][a-z-]*/g)?.filter((option) => !options.includes(option.trim())) ?? [],
      ).toEqual([])
    }
    expect(options.includes('--json')).toBe(!withoutJson.includes(name))
  },
)

test('the exit codes are said where people look first', () => {
  expect(helpOf(makeProgram())).toMatch(/Exit codes: 0 .*1 .*2 /)
})

test('no text shows an npx that would fetch a package of our name from the registry', () => {
  const root = new URL('../../../', import.meta.url)
  const folders = ['docs', 'packages/cli/src', 'packages/server/page', 'packages/server/src', 'examples']
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(md|ts|js|html)$/.test(path) && !/node_modules|dist|\.test\./.test(path))
      .map((path) => `${folder}/${path}`),
  )
  const unsafe = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...files].filter((file) =>
    /npx (?!--no )[^\n]*botstead|npm exec (?!--no)[^\n]*botstead/.test(
      readFileSync(new URL(file, root), 'utf8'),
    ),
  )
  expect(unsafe).toEqual([])
})
