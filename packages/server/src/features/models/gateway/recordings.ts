// Records calls of models as files, and answers from them. A file is named by the hash of its
// request and its workspace, so the order of calls does not matter. A request without a recording
// fails with its difference from the most similar one. The caller is in it so that an erasure finds
// it, and so that no other workspace gets its response: only files without a caller, which an
// operator made for all, are shared.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@botstead/contract'
import type { ModelCaller } from './call.ts'
import { parseRecording, type RecordedCaller, type Recording } from './recording-file.ts'
import { findDifference, toLines, toText } from './request-difference.ts'
import { hashRequest } from './request-hash.ts'

type Replayer = Pick<ModelCaller, 'workspaceId' | 'botId'>

type Found = { recording: Recording } | { damage: string } | null

export interface Recordings {
  mode: 'record' | 'replay'
  store(recording: Recording): Promise<void>
  /**
   * Throws ReferenceNotFound, with the difference, for a request that was not recorded for this
   * workspace or for all, and with the fault, if its file is damaged.
   */
  find(replayer: Replayer, request: object): Promise<Recording>
  /** Yields the recordings of a bot, with their texts. */
  ofBot(
    botId: string,
  ): AsyncGenerator<{ name: string; caller: RecordedCaller; text: string }>
  /** Yields the recordings with a caller whose last call was before this time. */
  before(time: Date): AsyncGenerator<{ name: string; botId: string; at: Date }>
  /** Returns what the file has, also if no replay could use it. Null for a file that is gone, or no JSON. */
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
      const draft = `${path}.${randomUUID()}`
      await writeFile(draft, `${JSON.stringify(recording, null, 2)}\n`)
      await rename(draft, path)
    },
    async find(replayer, request) {
      for (const name of [toName(request, replayer.workspaceId), toName(request)]) {
        const found = await readFor(replayer, folder, name)
        if (found && 'damage' in found) throw toDamageError(name, found.damage)
        if (found) return found.recording
      }
      throw new ApiError('ReferenceNotFound', await describe(folder, replayer, request), {
        metadata: { subtype: 'MODEL_CALL_NOT_RECORDED', hash: hashRequest(request) },
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
      return text === null ? null : (parseJson(text) as Recording | null)
    },
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

/** Ids of imported workspaces may have characters that a name of a file must not have. */
const inName = (workspaceId: string) => workspaceId.replaceAll(/[^\w-]/g, '_')

const toName = (request: object, workspaceId?: string) =>
  [hashRequest(request), ...(workspaceId ? [inName(workspaceId)] : []), 'json'].join('.')

/** Returns null without the file, and for a recording of another workspace. */
async function readFor(replayer: Replayer, folder: string, name: string): Promise<Found> {
  const read = await readFile(join(folder, name), 'utf8').then(
    parseRecording,
    ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' ? null : `it cannot be read (${code})`,
  )
  if (typeof read === 'string')
    return isNamedFor(replayer, name) ? { damage: read } : null
  return read && mayReplay(replayer, read) ? { recording: read } : null
}

/** The owner of a damaged file is known by its name only: `<hash>.<workspace>.json`. */
function isNamedFor({ workspaceId }: Replayer, name: string): boolean {
  const parts = name.split('.')
  return parts.length === 2 || parts.at(-2) === inName(workspaceId)
}

const toDamageError = (name: string, damage: string) =>
  new ApiError(
    'ReferenceNotFound',
    `The recording ${name} is damaged: ${damage}. Restore the file, or record the call again`,
    { metadata: { subtype: 'MODEL_RECORDING_DAMAGED' } },
  )

function mayReplay({ workspaceId, botId }: Replayer, { caller }: Recording): boolean {
  if (!caller) return true
  return caller.workspaceId ? caller.workspaceId === workspaceId : caller.botId === botId
}

const namesIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))

/** Other files may be in the folder. */
const callerIn = (text: string) => (parseJson(text) as Recording | null)?.caller

/** Returns null for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Says nothing of recordings of other workspaces, and does not name the folder to tenants. */
async function describe(
  folder: string,
  replayer: Replayer,
  request: object,
): Promise<string> {
  const lines = toLines(request)
  const damaged: string[] = []
  let count = 0
  let closest: { name: string; difference: string[] } | null = null
  for (const name of (await namesIn(folder)).sort()) {
    const found = await readFor(replayer, folder, name)
    if (!found) continue
    if ('damage' in found) {
      damaged.push(`${name} (${found.damage})`)
      continue
    }
    count++
    const difference = findDifference(toLines(found.recording.request), lines)
    if (!closest || difference.length < closest.difference.length)
      closest = { name, difference }
  }
  const ignored =
    damaged.length > 0 ? `\nDamaged recordings are ignored: ${shorten(damaged)}` : ''
  return describeClosest(closest, count, lines.length) + ignored
}

function describeClosest(
  closest: { name: string; difference: string[] } | null,
  count: number,
  lineCount: number,
): string {
  if (!closest) return 'There are no recordings for this workspace'
  const { name, difference } = closest
  // More lines differ than the request has: it is another conversation, or another bot.
  if (difference.length > lineCount)
    return `The request was not recorded, and none of the ${count} recordings for this workspace is similar`
  const lines = toText(difference)
  return `The request was not recorded. Difference from ${name} (-) to the request (+):\n${lines}`
}

const maxNames = 3
const shorten = (names: string[]) =>
  names.slice(0, maxNames).join(', ') +
  (names.length > maxNames ? ` and ${names.length - maxNames} more` : '')
