// Watches the sources below some folders.
import { readdirSync, statSync, watch } from 'node:fs'
import { extname, join } from 'node:path'

const extensions = new Set(['.ts', '.js', '.json', '.sql', '.html', '.css', '.svg'])
const isSource = (path) => extensions.has(extname(path)) && !path.endsWith('.test.ts')

/** Editors write a file in several steps, and often several files at once. */
const settleMs = 40

/**
 * Calls `changed` with the paths of written, created and removed sources. Each folder has a separate
 * watcher: those of single files miss editors that replace files. Returns a function that ends it.
 */
export function watchSources(folders, changed) {
  const watchers = new Map()
  const times = new Map()
  const found = new Set()
  let timer
  const report = () => {
    const paths = [...found].filter(hasChanged)
    found.clear()
    if (paths.length > 0) changed(paths)
  }
  /** Some systems also report files that were only read. */
  const hasChanged = (path) => {
    const time = getTime(path)
    const isChanged = times.get(path) !== time
    times.set(path, time)
    return isChanged
  }
  const add = (folder, isNew) => {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => name && see(folder, join(folder, name)))
    watchers.set(
      folder,
      watcher.on('error', () => remove(folder)),
    )
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) add(path, isNew)
      else if (isNew) see(folder, path)
      else if (isSource(path)) times.set(path, getTime(path))
    }
  }
  const remove = (folder) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const see = (folder, path) => {
    const entry = statSync(path, { throwIfNoEntry: false })
    if (entry?.isDirectory()) return add(path, true)
    if (!statSync(folder, { throwIfNoEntry: false })) remove(folder)
    if (!isSource(path)) return
    found.add(path)
    clearTimeout(timer)
    timer = setTimeout(report, settleMs)
  }
  for (const folder of folders) add(folder, false)
  return () => {
    clearTimeout(timer)
    for (const folder of [...watchers.keys()]) remove(folder)
  }
}

/** Returns null for a file that does not exist. */
const getTime = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
