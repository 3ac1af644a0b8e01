// Runs the knowledge checks of a project in a bot that exists only meanwhile: the documents in `knowledge/`,
// without a model.
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createMissingData } from '@botstead/client'
import type { CheckResult, ExplainedPassage } from '@botstead/contract'
import type { WrittenCheck } from '@botstead/flows/knowledge-checks'
import { CliError } from '../failure.ts'
import type { Admin } from '../server/admin.ts'
import { retry } from '../server/server-client.ts'
import { openProgress } from '../terminal/progress.ts'
import type { ReadDocument } from './bot-document.ts'
import { knowledgeFolders, uploadKnowledge } from './knowledge-folders.ts'

export interface CheckedQuestion<Check extends WrittenCheck = WrittenCheck> {
  check: Check
  result: CheckResult
  /** The share of the check in the time of its run. */
  ms: number
  /** The best passage, of a check that failed; also one below its minimum score. */
  best?: ExplainedPassage & { minScore: number }
}

/** The maximum number of checks in a bot. */
const batchSize = 200
const pollMs = 300
const maxIndexMs = 30 * 60_000

/** Returns the results in the order of the checks. Deletes the bot also when the command is interrupted. */
export async function runKnowledgeChecks<Check extends WrittenCheck>(
  admin: Admin,
  read: ReadDocument,
  checks: Check[],
  interrupted: Promise<never>,
): Promise<CheckedQuestion<Check>[]> {
  const { bot } = await admin.client.admin.createBot({
    body: { name: 'Knowledge checks' },
  })
  try {
    return await Promise.race([runInBot(admin.as(bot.id), read, checks), interrupted])
  } finally {
    await admin.client.admin.deleteBot({ params: { id: bot.id } })
  }
}

async function runInBot<Check extends WrittenCheck>(
  client: Client,
  read: ReadDocument,
  checks: Check[],
): Promise<CheckedQuestion<Check>[]> {
  const { knowledgeBases } = read.document
  await createMissingData(client, { knowledgeBases })
  await uploadKnowledge(client, read)
  await untilSearchable(client)
  const checked: CheckedQuestion<Check>[] = []
  for (let at = 0; at < checks.length; at += batchSize)
    checked.push(...(await runBatch(client, checks.slice(at, at + batchSize))))
  return checked
}

/** Throws CliError. */
export function rejectWithoutDocuments(read: ReadDocument): void {
  if (knowledgeFolders(read).length > 0) return
  const folder = join(dirname(read.path), 'knowledge', '<knowledge base>')
  throw new CliError(
    `the knowledge checks need documents: put them into ${folder}, by the name of a knowledge base in ` +
      read.path,
  )
}

/** Waits until all documents are read, and found by meaning if there is a model for it. */
async function untilSearchable({ platform }: Client): Promise<void> {
  const progress = openProgress()
  try {
    for (const end = Date.now() + maxIndexMs; Date.now() < end; await pause(pollMs)) {
      const { counts, meaning } = await retry(5, () => platform.countFiles({ query: {} }))
      const count = (status: string) =>
        counts.find((one) => one.status === status)?.count ?? 0
      const pending = sum(pendingStatuses.map(count))
      const { state, passages, embedded, wordsOnly } = meaning
      const left = state === 'ready' ? passages - embedded - wordsOnly : 0
      if (pending + left <= 0) {
        if (state === 'unavailable') console.error(unavailable)
        return await reportUnreadable(platform)
      }
      progress.show(
        `Knowledge checks: ${pending} documents and ${left} passages are left to read`,
      )
    }
  } finally {
    progress.end()
  }
  throw new CliError('the documents were not read within 30 minutes')
}

const pendingStatuses = ['upload_pending', 'indexing_pending']

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

const unavailable =
  'The embedding model is unavailable: the checks find passages by words only'

async function reportUnreadable(platform: Client['platform']): Promise<void> {
  for (const status of ['indexing_failed', 'upload_failed'] as const) {
    const { files } = await platform.searchFilesByName({ query: { status } })
    for (const { key, failedStatusReason: reason } of files)
      console.error(
        `The document ${toName(key)} was not read${reason ? `: ${reason}` : ''}`,
      )
  }
}

/** Without the folder and id of the knowledge base. */
export const toName = (key: string) => key.replace(/^knowledge\/[^/]+\//, '')

async function runBatch<Check extends WrittenCheck>(
  { platform }: Client,
  checks: Check[],
): Promise<CheckedQuestion<Check>[]> {
  const ids: string[] = []
  for (const { question, expectedFile, expectedText } of checks) {
    const body = {
      question,
      ...(expectedFile !== undefined && { expectedFile }),
      ...(expectedText !== undefined && { expectedText }),
    }
    ids.push((await platform.createKnowledgeCheck({ body })).knowledgeCheck.id)
  }
  const startedAt = performance.now()
  const { knowledgeChecks } = await platform.runKnowledgeChecks({ body: {} })
  const ms = (performance.now() - startedAt) / checks.length
  const results = new Map(knowledgeChecks.map(({ id, result }) => [id, result!]))
  const checked: CheckedQuestion<Check>[] = []
  for (const [at, check] of checks.entries()) {
    const result = results.get(ids[at]!)!
    checked.push({
      check,
      result,
      ms,
      ...(!result.passed && (await findBest(platform, check))),
    })
  }
  for (const id of ids) await platform.deleteKnowledgeCheck({ params: { id } })
  return checked
}

async function findBest(platform: Client['platform'], { question }: WrittenCheck) {
  const query = { query: question, limit: 1 }
  const { passages, defaultMinScore } = await platform.explainSearch({ query })
  const [best] = passages
  return best && { best: { ...best, minScore: best.minScore ?? defaultMinScore } }
}
