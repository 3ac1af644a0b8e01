// An installation of a released version, as scripts/version-fixture.js recorded it: the database, the data
// folder, and the version's own answers.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { progress } from '../report.ts'
import type { Cluster } from './cluster.ts'
import { call } from './http.ts'

interface Recorded {
  method?: Dispatcher.HttpMethod
  path: string
  headers: Record<string, string>
  body?: unknown
  answer: unknown
}

const unpack = async (folder: string, name: string) =>
  gunzipSync(await readFile(join(folder, name))).toString()

export async function fillDatabase(recorded: string, cluster: Cluster): Promise<void> {
  await cluster.query(await unpack(recorded, 'database.sql.gz'), 'botstead')
}

/** Fills the data folder of a server that will listen at another address. */
export async function fillFolder(
  recorded: string,
  data: string,
  origin: string,
): Promise<void> {
  await promisify(execFile)('tar', ['-xzf', join(recorded, 'data.tar.gz'), '-C', data])
  const file = join(data, 'credentials.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(JSON.parse(text).url, origin))
}

/** Returns how many of the recorded requests no longer have the recorded answer. */
export async function countLostAnswers(
  recorded: string,
  origin: string,
): Promise<number> {
  const { answers } = JSON.parse(await unpack(recorded, 'answers.json.gz'))
  let lost = 0
  for (const { method = 'GET', path, headers, body, answer } of answers as Recorded[]) {
    const now = await call(method, origin + path, headers, body)
    const difference = findDifference(answer, withoutOrigin(now.body, origin))
    if (difference === null) continue
    lost++
    progress(`${method} ${path} returned ${now.status}, and differs at ${difference}`)
  }
  return lost
}

const withoutOrigin = (value: unknown, origin: string) =>
  JSON.parse(JSON.stringify(value).replaceAll(origin, '{{origin}}'))

/** The newest record of the audit log. */
const changing = 'last'

/**
 * Returns the path of the first part of a recorded answer that is missing or differs; null without one. New
 * fields and objects are no difference, counts may be higher, and signatures of URLs change.
 */
export function findDifference(
  recorded: unknown,
  now: unknown,
  path = '',
): string | null {
  if (typeof recorded === 'number' && typeof now === 'number')
    return now < recorded ? path : null
  if (typeof recorded === 'string' && typeof now === 'string')
    return unsigned(recorded) === unsigned(now) ? null : path
  if (!isObject(recorded) || !isObject(now)) return recorded === now ? null : path
  for (const [name, value] of Object.entries(recorded)) {
    if (name === changing) continue
    const found = Array.isArray(now) ? counterpart(value, Number(name), now) : now[name]
    const difference = findDifference(value, found, `${path}/${name}`)
    if (difference !== null) return difference
  }
  return null
}

/** Objects with an id may have moved in a list. */
const counterpart = (recorded: unknown, index: number, now: unknown[]) =>
  isObject(recorded) && typeof recorded.id === 'string'
    ? now.find((one) => isObject(one) && one.id === recorded.id)
    : now[index]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const unsigned = (text: string) =>
  text.startsWith('{{origin}}') ? text.replace(/\?.*/, '') : text
