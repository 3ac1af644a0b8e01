// The file of the checks of a bot, which `botstead test` also reads.
import { type Client, itemsOf } from '@botstead/client'
import type { KnowledgeCheck } from '@botstead/contract'
import type { WrittenCheck } from '@botstead/flows/knowledge-checks'
import { texts } from '../../../texts/texts.ts'

const t = texts.checks

/** A longer file would keep the page busy for seconds. */
const maxBytes = 2_000_000

/** Throws an Error with the line of the first problem. */
export async function readChecks(file: File): Promise<WrittenCheck[]> {
  if (file.size > maxBytes) throw new Error(t.tooLarge)
  const [{ parseKnowledgeChecks }, { DocumentSyntaxError }] = await Promise.all([
    import('@botstead/flows/knowledge-checks'),
    import('@botstead/flows/document-text'),
  ])
  try {
    return parseKnowledgeChecks(await file.text())
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error
    throw new Error(t.invalid(file.name, error.position.line, error.message))
  }
}

/** Returns the text of a file with all checks, the oldest first. */
export async function writeChecks(client: Client): Promise<string> {
  const { writeKnowledgeChecks } = await import('@botstead/flows/knowledge-checks')
  return writeKnowledgeChecks((await listChecks(client)).reverse())
}

/** Adds the checks that the bot does not have. Stops at the first error. */
export async function addMissingChecks(client: Client, checks: WrittenCheck[]) {
  const known = new Set((await listChecks(client)).map(toIdentity))
  let created = 0
  for (const { line: _, ...body } of checks as (WrittenCheck & { line?: number })[]) {
    if (known.has(toIdentity(body))) continue
    known.add(toIdentity(body))
    await client.platform.createKnowledgeCheck({ body })
    created++
  }
  return { created, unchanged: checks.length - created }
}

async function listChecks({ platform }: Client): Promise<KnowledgeCheck[]> {
  const checks: KnowledgeCheck[] = []
  const all = itemsOf(async ({ nextToken }) => {
    const query = { pageSize: 200, ...(nextToken && { nextToken }) }
    const { knowledgeChecks, meta } = await platform.listKnowledgeChecks({ query })
    return { items: knowledgeChecks, ...meta }
  })
  for await (const check of all) checks.push(check)
  return checks
}

const toIdentity = ({ question, expectedFile, expectedText }: WrittenCheck) =>
  JSON.stringify([question, expectedFile ?? null, expectedText ?? null])
