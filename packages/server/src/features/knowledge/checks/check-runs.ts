// Asks the questions of the checks as a bot does without a model: the curated answer, else what it sends from
// documents, or offers if two answers are equally likely.

import type { CheckResult, FoundAnswer } from '@botstead/contract'
import { foldLetters } from '@botstead/flows/folding'
import type { Db } from '../../../core/db/index.ts'
import type { CuratedAnswers } from '../curated/ready-answers.ts'
import { findAnswers } from '../search/answers.ts'
import type { Rankers } from '../search/fusion.ts'
import { type CheckRow, listChecks, maxChecks, storeResults } from './checks.ts'

interface Deps {
  db: Db
  curatedAnswers: Pick<CuratedAnswers, 'find'>
  rankers: Rankers
}

/** Questions at a time: a run must not take the database from the answers of bots. */
const atOnce = 4
const maxText = 500

/** Runs all checks of the bot, and returns them with their results, newest first. */
export async function runChecks(deps: Deps, botId: string): Promise<CheckRow[]> {
  const checks = await listChecks(deps.db, botId, { limit: maxChecks })
  const results: { id: string; result: CheckResult }[] = []
  for (let from = 0; from < checks.length; from += atOnce) {
    const some = checks.slice(from, from + atOnce)
    results.push(
      ...(await Promise.all(
        some.map(async (check) => ({
          id: check.id,
          result: await runCheck(deps, botId, check),
        })),
      )),
    )
  }
  return storeResults(deps.db, botId, results)
}

async function runCheck(
  { db, curatedAnswers, rankers }: Deps,
  botId: string,
  check: CheckRow,
): Promise<CheckResult> {
  const { question } = check
  const at = new Date().toISOString()
  const match = await curatedAnswers.find(db, botId, { question })
  if (match) {
    const found = { source: 'curatedAnswer' as const, text: match.text.slice(0, maxText) }
    return {
      passed: check.expected_file === null && hasText(check, match.text),
      at,
      found,
    }
  }
  const search = { query: question, viewer: null, tags: [] }
  const { answers } = await findAnswers(db, botId, search, rankers)
  const best = answers[0]
  return {
    passed: answers.some((answer) => isExpected(check, answer)),
    at,
    ...(best && { found: toFound(best) }),
  }
}

const toFound = ({ text, fileId, fileKey, score }: FoundAnswer) => ({
  source: 'passage' as const,
  text: text.slice(0, maxText),
  fileId,
  fileKey,
  score,
})

const isExpected = (check: CheckRow, { fileKey, text, section }: FoundAnswer) =>
  (check.expected_file === null || isFile(fileKey, check.expected_file)) &&
  hasText(check, [...section, text].join('\n'))

/** The whole key, or its last parts. */
const isFile = (key: string, expected: string) =>
  key === expected || key.endsWith(`/${expected}`)

const hasText = ({ expected_text: expected }: CheckRow, text: string) =>
  expected === null || plain(text).includes(plain(expected))

const plain = (text: string) =>
  foldLetters(text.toLowerCase()).replace(/\s+/g, ' ').trim()
