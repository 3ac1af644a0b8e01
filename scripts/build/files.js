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
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Changes with each installation of libraries. */
export const installed = join(root, 'node_modules/.package-lock.json')

export const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Returns the paths of all files in a folder and below. */
export const inside = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns whether the result is newer than everything that it depends on. */
export function isCurrent(result, inputs) {
  const builtAt = changedAt(result)
  return inputs.every((file) => changedAt(file) <= builtAt)
}

/** Replaces a file in one step, so that a reader or an interruption never meets a half of it. */
export function replaceFile(file, contents) {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}-next-${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, file)
}

/** Writes a text to a path relative to `folder`. Returns false if it is there already. */
export function writeIfChanged(path, text, folder = root) {
  const file = join(folder, path)
  if (changedAt(file) && readFileSync(file, 'utf8') === text) return false
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return true
}

/**
 * Writes the files of a bundle into its folder, except those that are there already, and removes all others:
 * another process may have built the same bundle in between. Always writes `last`, at the end: as long as it
 * is old, the bundle is out of date.
 */
export function replaceFiles(folder, files, { last }) {
  for (const file of files)
    if (file.path !== last && !hasContents(file)) replaceFile(file.path, file.contents)
  replaceFile(last, files.find(({ path }) => path === last).contents)
  const kept = new Set(files.map(({ path }) => relative(folder, path)))
  for (const file of inside(folder))
    if (!kept.has(relative(folder, file)) && !isBeingBuilt(file))
      rmSync(file, { force: true })
}

function hasContents({ path, contents }) {
  const found = statSync(path, { throwIfNoEntry: false })
  return (
    found?.size === contents.length && readFileSync(path).equals(Buffer.from(contents))
  )
}

/**
 * Builds a folder beside its place and moves it there when it is complete, so that an interrupted build
 * leaves the previous folder, or none. Other processes may build the same.
 */
export async function replaceFolder(folder, build) {
  const [next, previous] = ['next', 'previous'].map(
    (name) => `${folder}-${name}-${process.pid}`,
  )
  removeLeftovers(folder)
  rmSync(next, { recursive: true, force: true })
  await build(next)
  for (let isMoved = false; !isMoved; ) {
    if (changedAt(folder)) move(folder, previous)
    isMoved = move(next, folder)
    rmSync(previous, { recursive: true, force: true })
  }
}

/** Returns false if another process has just moved one of both. */
function move(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (changedAt(from) && !changedAt(to)) throw error
    return false
  }
}

const temporaryName = /-(?:next|previous)-(\d+)$/

/** Removes what interrupted builds of a folder have left beside it. */
function removeLeftovers(folder) {
  const parent = dirname(folder)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent))
    if (
      name.startsWith(`${basename(folder)}-`) &&
      temporaryName.test(name) &&
      !isBeingBuilt(name)
    )
      rmSync(join(parent, name), { recursive: true, force: true })
}

/** Whether this is a temporary file or folder of a process that still runs. */
function isBeingBuilt(path) {
  const pid = Number(temporaryName.exec(path)?.[1])
  if (!pid || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

export function toDigest(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}
