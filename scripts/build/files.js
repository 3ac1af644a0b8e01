// Files of builds: whether they are current, and writing without half-written results.
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Changes with each installation of libraries. */
export const installed = join(root, 'node_modules/.package-lock.json')

export const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Returns the paths of all files and folders in a folder; a folder changes when a file in it is removed. */
export const inside = (folder) => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
]

/** Returns whether the result is newer than everything that it depends on. */
export function isCurrent(result, inputs) {
  const builtAt = changedAt(result)
  return inputs.every((file) => changedAt(file) <= builtAt)
}

/** Replaces a file in one step, so that a reader or an interruption never meets a half of it. */
export function replaceFile(file, contents) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, file)
}

/**
 * Writes the files of a bundle into its folder, except those that are the same, and removes all others there.
 * Always writes `last`, at the end: as long as it is old, the bundle is out of date.
 */
export function replaceFiles(folder, files, { last, isSame = () => false }) {
  for (const file of files)
    if (file.path !== last && !isSame(file)) replaceFile(file.path, file.contents)
  replaceFile(last, files.find(({ path }) => path === last).contents)
  const kept = new Set(files.map(({ path }) => relative(folder, path)))
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of present.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name)
    if (!kept.has(relative(folder, file))) rmSync(file, { force: true })
  }
}

/**
 * Builds a folder beside its place and moves it there when it is complete, so that an interrupted build
 * leaves the previous folder, or none.
 */
export async function replaceFolder(folder, build) {
  const [next, previous] = ['next', 'previous'].map((name) => `${folder}-${name}`)
  rmSync(next, { recursive: true, force: true })
  await build(next)
  rmSync(previous, { recursive: true, force: true })
  if (changedAt(folder)) renameSync(folder, previous)
  renameSync(next, folder)
  rmSync(previous, { recursive: true, force: true })
}

export function digestOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}
