// Estimates how long test files take: by their last run in this clone, otherwise by their kind.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { longTests } from './long-tests.ts'
import { longFiles } from './longest-first.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where Vitest stores the durations of the last runs, in a folder with a digest as its name. */
const cache = join(root, 'node_modules/.vite/vitest')

/** Twice the cores of CI, because tests spend up to half of their time waiting. */
export const processes = 4
/** To load the modules of a file, which Vitest does not count. */
const loadMs = 700

/** Milliseconds of files that have not run here: with a browser, long ones, with a server, and others. */
const usualMs = { browser: 50_000, long: 25_000, server: 6_000, other: 1_500 }

const long = new Set([
  ...longFiles,
  ...Object.keys(longTests).map((name) => basename(name)),
])

/** Returns a function that estimates the milliseconds of a file, by its path from the root. */
export function readDurations(): (path: string) => number {
  const recorded = new Map(readRecords())
  return (path) => loadMs + (recorded.get(path) ?? usualMs[findKind(path)])
}

function findKind(path: string): keyof typeof usualMs {
  if (path.includes('/app/dashboard/')) return 'browser'
  if (long.has(basename(path, '.test.ts'))) return 'long'
  return path.startsWith('packages/server/test/') ? 'server' : 'other'
}

/** Vitest names files `project:path`. */
function readRecords(): [string, number][] {
  const files = list(cache).map((name) => join(cache, name, 'results.json'))
  return files
    .flatMap(readResults)
    .map(([name, { duration }]) => [name.slice(name.indexOf(':') + 1), duration])
}

type Results = [string, { duration: number }][]

/** A run that was killed leaves an incomplete file, which is as none. */
function readResults(file: string): Results {
  try {
    return (JSON.parse(readIfPresent(file) ?? '') as { results?: Results }).results ?? []
  } catch {
    return []
  }
}

/** Returns the milliseconds of a run: its processes share the work, but none ends before its longest file. */
export function estimateRun(durations: number[]): number {
  const sum = durations.reduce((total, ms) => total + ms, 0)
  return Math.max(sum / processes, ...durations, 0)
}

/** Returns a duration for people: "40 s", "6 min". */
export function toDuration(ms: number): string {
  if (ms < 90_000) return `${Math.max(5, Math.ceil(ms / 5_000) * 5)} s`
  return `${Math.round(ms / 60_000)} min`
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Nothing has run yet.
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
