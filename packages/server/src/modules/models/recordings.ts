// Records calls of models as files, and answers from them. A file is named by the hash of its
// request, so the order of calls does not matter. A request without a recording fails with its
// difference from the most similar one.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '@botstead/contract'
import { newUuid } from '../../infra/lib/ids.ts'
import type { TextResult } from './call.ts'
import { hashOf } from './request-hash.ts'

interface Recording {
  request: object
  response: TextResult
  /** The pieces of a stream. */
  pieces: string[]
}

export interface Recordings {
  mode: 'record' | 'replay'
  store(recording: Recording): Promise<void>
  /** Throws ReferenceNotFound, with the difference, for a request that was not recorded. */
  find(request: object): Promise<Recording>
}

export function openRecordings(folder: string, mode: Recordings['mode']): Recordings {
  const pathOf = (request: object) => join(folder, `${hashOf(request)}.json`)
  return {
    mode,
    async store(recording) {
      await mkdir(folder, { recursive: true })
      const path = pathOf(recording.request)
      // A reader must not find half a file.
      const draft = `${path}.${newUuid()}`
      await writeFile(draft, `${JSON.stringify(recording, null, 2)}\n`)
      await rename(draft, path)
    },
    async find(request) {
      const text = await readFile(pathOf(request), 'utf8').catch(() => null)
      if (text !== null) return JSON.parse(text) as Recording
      throw new ApiError('ReferenceNotFound', await describe(folder, request), {
        metadata: { subtype: 'MODEL_CALL_NOT_RECORDED', hash: hashOf(request) },
      })
    },
  }
}

const maxLines = 12

async function describe(folder: string, request: object): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  if (names.length === 0) return `There are no recordings in "${folder}"`
  const lines = linesOf(request)
  let closest: { name: string; difference: string[] } | null = null
  for (const name of names.sort()) {
    const { request: other } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Recording
    const difference = differenceOf(linesOf(other), lines)
    if (!closest || difference.length < closest.difference.length) closest = { name, difference }
  }
  const { name, difference } = closest!
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
  return [
    ...before.filter((line) => !present.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !known.has(line)).map((line) => `+ ${line}`),
  ]
}
