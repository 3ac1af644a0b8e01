// Records calls of models as files, and answers from them. A file is named by the hash of its
// request and its workspace, so the order of calls does not matter. A request without a recording
// fails with its difference from the most similar one. The caller is in it so that an erasure finds
// it, and so that no other workspace gets its response: only files without a caller, which an
// operator made for all, are shared.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@botstead/contract'
import { newUuid } from '../../infra/lib/ids.ts'
import type { ModelCaller, TextResult } from './call.ts'
import { hashOf } from './request-hash.ts'

/** `workspaceId` is missing in recordings of earlier versions, which are only for their bot. */
type RecordedCaller = Pick<ModelCaller, 'botId' | 'eventId' | 'conversationId' | 'userId'> &
  Partial<Pick<ModelCaller, 'workspaceId'>>

type Replayer = Pick<ModelCaller, 'workspaceId' | 'botId'>

export interface Recording {
  /** Missing in recordings for all workspaces. */
  caller?: RecordedCaller
  request: object
  response: TextResult
  /** The pieces of a stream. */
  pieces: string[]
}

export interface Recordings {
  mode: 'record' | 'replay'
  store(recording: Recording): Promise<void>
  /**
   * Throws ReferenceNotFound, with the difference, for a request that was not recorded for this
   * workspace or for all.
   */
  find(replayer: Replayer, request: object): Promise<Recording>
  /** Yields the recordings of a bot, with their texts. */
  ofBot(botId: string): AsyncGenerator<{ name: string; caller: RecordedCaller; text: string }>
  /** Yields the recordings with a caller whose last call was before this time. */
  before(time: Date): AsyncGenerator<{ name: string; botId: string; at: Date }>
  /** Returns null for a recording that was deleted. */
  read(name: string): Promise<Recording | null>
  remove(names: string[]): Promise<void>
}

export function openRecordings(folder: string, mode: Recordings['mode']): Recordings {
  return {
    mode,
    async store(recording) {
      await mkdir(folder, { recursive: true })
      const path = join(folder, toName(recording.request, recording.caller?.workspaceId))
      // A reader must not find half a file.
      const draft = `${path}.${newUuid()}`
      await writeFile(draft, `${JSON.stringify(recording, null, 2)}\n`)
      await rename(draft, path)
    },
    async find(replayer, request) {
      for (const name of [toName(request, replayer.workspaceId), toName(request)]) {
        const found = await readFor(replayer, join(folder, name))
        if (found) return found
      }
      throw new ApiError('ReferenceNotFound', await describe(folder, replayer, request), {
        metadata: { subtype: 'MODEL_CALL_NOT_RECORDED', hash: hashOf(request) },
      })
    },
    async *ofBot(botId) {
      for (const name of await namesIn(folder)) {
        const text = await readFile(join(folder, name), 'utf8').catch(() => '')
        const caller = callerIn(text)
        if (caller?.botId === botId) yield { name, caller, text }
      }
    },
    async *before(time) {
      for (const name of await namesIn(folder)) {
        const path = join(folder, name)
        const at = (await stat(path).catch(() => null))?.mtime
        if (!at || at >= time) continue
        const caller = callerIn(await readFile(path, 'utf8').catch(() => ''))
        if (caller) yield { name, botId: caller.botId, at }
      }
    },
    async read(name) {
      const text = await readFile(join(folder, name), 'utf8').catch(() => null)
      return text === null ? null : (JSON.parse(text) as Recording)
    },
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

/** Ids of imported workspaces may have characters that a name of a file must not have. */
const toName = (request: object, workspaceId?: string) =>
  [hashOf(request), ...(workspaceId ? [workspaceId.replaceAll(/[^\w-]/g, '_')] : []), 'json'].join(
    '.',
  )

/** Returns null without the file, and for a recording of another workspace. */
async function readFor(replayer: Replayer, path: string): Promise<Recording | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const recording = JSON.parse(text) as Recording
  return mayReplay(replayer, recording) ? recording : null
}

function mayReplay({ workspaceId, botId }: Replayer, { caller }: Recording): boolean {
  if (!caller) return true
  return caller.workspaceId ? caller.workspaceId === workspaceId : caller.botId === botId
}

const namesIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))

/** Other files may be in the folder. */
function callerIn(text: string): RecordedCaller | undefined {
  try {
    return (JSON.parse(text) as Recording | null)?.caller
  } catch {
    return undefined
  }
}

const maxLines = 12
const maxLineLength = 200

/** Says nothing of recordings of other workspaces, and does not name the folder to tenants. */
async function describe(folder: string, replayer: Replayer, request: object): Promise<string> {
  const lines = linesOf(request)
  let count = 0
  let closest: { name: string; difference: string[] } | null = null
  for (const name of (await namesIn(folder)).sort()) {
    const recording = await readFor(replayer, join(folder, name))
    if (!recording) continue
    count++
    const difference = differenceOf(linesOf(recording.request), lines)
    if (!closest || difference.length < closest.difference.length) closest = { name, difference }
  }
  if (!closest) return 'There are no recordings for this workspace'
  const { name, difference } = closest
  // More lines differ than the request has: it is another conversation, or another bot.
  if (difference.length > lines.length)
    return `The request was not recorded, and none of the ${count} recordings for this workspace is similar`
  const shown = difference.slice(0, maxLines).join('\n')
  const more = difference.length > maxLines ? `\n… ${difference.length - maxLines} more lines` : ''
  return `The request was not recorded. Difference from ${name} (-) to the request (+):\n${shown}${more}`
}

/** One line for each value: `options.prompt[0].content: "Hi"`. */
function linesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([name, one]) => {
    const own = Array.isArray(value) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`
    return linesOf(one, path + own)
  })
}

function differenceOf(before: string[], after: string[]): string[] {
  const [known, present] = [new Set(before), new Set(after)]
  const removed = before.filter((line) => !present.has(line))
  const added = after.filter((line) => !known.has(line))
  return [
    ...removed.map((line) => `- ${excerptOf(line, added)}`),
    ...added.map((line) => `+ ${excerptOf(line, removed)}`),
  ]
}

/** Shortens a line to the part that differs from the other value at the same path. */
function excerptOf(line: string, others: string[]): string {
  if (line.length <= maxLineLength) return line
  const path = line.slice(0, line.indexOf(': ') + 2)
  const other = others.find((one) => one.startsWith(path)) ?? path
  let equal = 0
  while (equal < line.length && line[equal] === other[equal]) equal++
  const start = Math.max(path.length, equal - 40)
  const left = start > path.length ? '…' : ''
  const shown = line.slice(start, start + maxLineLength)
  return `${path}${left}${shown}${start + maxLineLength < line.length ? '…' : ''}`
}
