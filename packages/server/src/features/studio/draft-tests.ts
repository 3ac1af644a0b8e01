// Runs the tests of a draft, in a process of hosted code.
import { ApiError, type DraftTestResult } from '@botstead/contract'
import type { Bot } from '../../core/bots/index.ts'
import { compute } from '../../core/compute/index.ts'
import type { DeliveryServices } from '../../core/delivery/index.ts'
import type { Services } from '../../core/http/index.ts'
import { deadlineMs } from './limits.ts'
import { invalidText, openCurrent, rejectUnstorable } from './saving.ts'

interface Wanted {
  revision?: number | undefined
  text?: string | undefined
  format?: 'JSON' | 'YAML' | undefined
  /** Names of tests. Default: all. */
  tests?: string[] | undefined
}

const testMs = 60_000

/**
 * Runs tests of the current revision, or of the text. Throws RelationConflict unless the revision
 * is the current one, and InvalidPayload for the problems of the document.
 */
export async function testDraft(
  services: Services & DeliveryServices,
  bot: Bot,
  { revision, text, format = 'JSON', tests }: Wanted,
): Promise<DraftTestResult[]> {
  if ((revision === undefined) === (text === undefined))
    throw new ApiError('InvalidPayload', 'Specify exactly one of `revision` and `text`')
  if (text !== undefined) rejectUnstorable(text)
  const draft =
    text === undefined ? await openCurrent(services, bot, revision!) : { text, format }
  const code = await compileTests(bot, draft)
  if (code === null) return []
  const body = await services.invoker.runOnce({
    workspaceId: bot.workspace_id,
    botId: bot.id,
    code,
    body: JSON.stringify({ names: tests ?? null }),
    timeoutMs: testMs,
  })
  return toResults(body)
}

/** Returns null for a document without tests. */
async function compileTests(
  { workspace_id: tenant }: Bot,
  { text, format }: { text: string; format: 'JSON' | 'YAML' },
): Promise<string | null> {
  const read = await compute.run(tenant, 'readDraft', { text, format }, { deadlineMs })
  if ('problem' in read) throw invalidText(read, format)
  const compiled = await compute.run(
    tenant,
    'compileTests',
    { json: read.json },
    { deadlineMs },
  )
  if (!('problems' in compiled)) return compiled.count > 0 ? compiled.code : null
  const [first] = compiled.problems
  throw new ApiError(
    'InvalidPayload',
    `The draft cannot be tested: ${first!.pointer} ${first!.message}. Correct it`,
    {
      metadata: {
        problems: compiled.problems.map(({ pointer, message }) => ({ pointer, message })),
      },
    },
  )
}

const maxResults = 1_000
/** Of all results, as the process limits them itself. */
const maxVisited = 20_000

/** Validates the response: the process runs code of the author. */
function toResults(body: string): DraftTestResult[] {
  const results = (parse(body) as { results?: unknown } | null)?.results
  const left = { nodes: maxVisited }
  if (Array.isArray(results))
    return results.slice(0, maxResults).map((one) => toResult(one, left))
  throw new ApiError(
    'Runtime',
    'The tests ended without results: check the code of the bot',
  )
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** No conversion of other values: it would run over their own `toString`. */
const toText = (value: unknown, max: number) =>
  (typeof value === 'string' ? value : '')
    .slice(0, max)
    .toWellFormed()
    .replaceAll('\0', '\ufffd')

const toCount = (value: unknown) =>
  typeof value === 'number' && value < Number.MAX_SAFE_INTEGER
    ? Math.max(0, Math.round(value))
    : 0

type Json = Record<string, unknown>
type Failure = NonNullable<DraftTestResult['failure']>

const toObject = (value: unknown) => (value ?? {}) as Json
const toName = (value: unknown) => toText(value, 64)

function toResult(result: unknown, left: { nodes: number }): DraftTestResult {
  const { name, ms, failure, visited, unlisted } = toObject(result)
  return {
    name: toText(name, 200),
    ms: toCount(ms),
    ...(failure !== undefined && { failure: toFailure(toObject(failure)) }),
    visited: toVisited(visited, left),
    ...(unlisted !== undefined && { unlisted: toCount(unlisted) }),
  }
}

function toFailure({ step, message, difference, place, trace }: Json): Failure {
  return {
    step: toCount(step),
    message: toText(message, 2_000),
    ...(difference !== undefined && { difference: toDifference(toObject(difference)) }),
    ...(place !== undefined && { place: toPlace(toObject(place)) }),
    ...(trace !== undefined && { trace: toText(trace, 8_000) }),
  }
}

function toDifference({ expected, actual }: Json): NonNullable<Failure['difference']> {
  const toSide = (value: unknown) =>
    typeof value === 'string' ? toText(value, 2_000) : null
  return { expected: toSide(expected), actual: toSide(actual) }
}

const toPlace = ({ flow, node, card }: Json): NonNullable<Failure['place']> => ({
  flow: toName(flow),
  node: toName(node),
  ...(card !== undefined && { card: toCount(card) }),
})

/** Takes the nodes from those that are left for all results. */
function toVisited(value: unknown, left: { nodes: number }): DraftTestResult['visited'] {
  if (!Array.isArray(value)) return []
  const visited: DraftTestResult['visited'] = []
  for (const each of value.slice(0, maxVisited)) {
    const { flow, nodes } = toObject(each)
    if (left.nodes === 0 || !Array.isArray(nodes)) break
    const names = nodes.slice(0, left.nodes).map(toName)
    left.nodes -= names.length
    if (names.length > 0) visited.push({ flow: toName(flow), nodes: names })
  }
  return visited
}
