// Finds circles of files: files that import each other, directly or through others. Types and imports on
// demand count, too.

/** Returns the circles among imports `{ from, to }`, each as a sorted list of its files. */
export function findCircles(imports) {
  const targets = new Map()
  for (const { from, to } of imports)
    targets.set(from, (targets.get(from) ?? new Set()).add(to))
  return findComponents(targets)
    .filter((files) => files.length > 1)
    .map((files) => files.sort())
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Returns the strongly connected components (Tarjan's algorithm). A file's `low` is the oldest open file
 * that it reaches; a component ends at the file that reaches no older one.
 */
function findComponents(targets) {
  const found = []
  const open = []
  const low = new Map()
  const closed = new Set()
  const visit = (file) => {
    const index = low.size
    low.set(file, index)
    open.push(file)
    for (const target of targets.get(file) ?? []) {
      if (!low.has(target)) visit(target)
      if (!closed.has(target)) low.set(file, Math.min(low.get(file), low.get(target)))
    }
    if (low.get(file) !== index) return
    const files = open.splice(open.indexOf(file))
    for (const one of files) closed.add(one)
    found.push(files)
  }
  for (const file of targets.keys()) if (!low.has(file)) visit(file)
  return found
}
