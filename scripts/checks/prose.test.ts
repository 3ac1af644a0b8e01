import { expect, test } from 'vitest'
import { findInOpenApi, findInSources } from './prose.js'

const inFile = (text: string) =>
  findInSources([{ path: 'packages/bots/src/bot.ts', text }])
const inComment = (text: string) => inFile(`${'/'}* ${text} */`)
const inSummary = (summary: string) =>
  findInOpenApi('runtime', {
    paths: { '/bots': { get: { operationId: 'listBots', summary } } },
  })

test('finds a line over 110 characters', () => {
  expect(inFile(`const a = 1\nconst b = [${'1, '.repeat(40)}]\n`)[0]).toBe(
    'packages/bots/src/bot.ts:2: wrap the line: 132 characters, at most 110',
  )
})

test('finds too many lines over 100 characters in a package', () => {
  expect(inFile(`const b = [${'1, '.repeat(31)}]\n`)).toEqual([
    'packages/bots/src/bot.ts:1: wrap lines: ' +
      '50.0 % of the lines in packages/bots have over 100 characters, at most 1.5 %',
  ])
})

test('allows a long line that cannot be wrapped', () => {
  expect(inFile(`// https://example.com/${'a'.repeat(110)}\n`)).toEqual([])
  const name = 'name'.repeat(14)
  expect(inFile(`import { ${name} as other } from './${'a/'.repeat(22)}b.ts'\n`)).toEqual(
    [],
  )
  const names = 'name, '.repeat(20)
  expect(inFile(`import { ${names}other } from './b.ts'\n`)).not.toEqual([])
})

test('finds dialect in comments, with its line and a replacement', () => {
  expect(inFile('const told = 1\n// Nobody is told.\n')).toEqual([
    'packages/bots/src/bot.ts:2: write "notified", "sent" or "delivered" instead of "is told"',
    'packages/bots/src/bot.ts:2: write the role, such as "the caller" or "no client" instead of "Nobody"',
  ])
})

test('allows 0.5 dialect words per 1,000 words of comments', () => {
  expect(inComment(`told ${'word '.repeat(1_998)}`)).toHaveLength(1)
  expect(inComment(`${'a few words\n'.repeat(700)}told`)).toEqual([])
})

test('finds dialect in API errors', () => {
  expect(
    inFile("throw new ApiError('Forbidden', `Ask (someone)` + 'whose bot it is')\n"),
  ).toEqual([
    'packages/bots/src/bot.ts:1: write "of the …" or "with a …" instead of "whose"',
  ])
  expect(
    inFile("log(new ApiError('Forbidden', 'The bot is disabled'), 'whose')\n"),
  ).toEqual([])
})

test('finds a summary of more than eight words', () => {
  expect(inSummary('List bots')).toEqual([])
  expect(inSummary('List all of the bots of this one workspace')).toEqual([
    'runtime.listBots: write a summary of at most 8 words: "List all of the bots of this one workspace"',
  ])
})

test('finds a summary without a verb, and one with dialect', () => {
  expect(inSummary('Bots')).toEqual([
    'runtime.listBots: begin the summary with a verb, or add "Bots" to the verbs in ' +
      'scripts/checks/prose.js: "Bots"',
  ])
  expect(inSummary('List whoever asks')).toEqual([
    'runtime.listBots: write the role, such as "the caller" or "no client" instead of "whoever"',
  ])
})
