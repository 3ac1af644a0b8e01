// The differences of two documents, in words and as texts to compare.
export type Document = Record<string, unknown>

export interface Change {
  kind: 'added' | 'removed' | 'changed'
  /** A part of the document, such as `actions.sum`. */
  path: string
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the parts that differ, by the second level: what the second has that the first lacks is added. */
export function changesBetween(first: Document, second: Document): Change[] {
  const [before, after] = [withoutPositions(first), withoutPositions(second)]
  return toNames(before, after)
    .filter((name) => name !== '$schema')
    .flatMap((name) => {
      const [left, right] = [before[name], after[name]]
      if (!isObject(left ?? {}) || !isObject(right ?? {}))
        return toChange(name, left, right)
      return changesInside(name, (left ?? {}) as Document, (right ?? {}) as Document)
    })
}

const changesInside = (name: string, left: Document, right: Document) =>
  toNames(left, right).flatMap((key) => toChange(`${name}.${key}`, left[key], right[key]))

const toNames = (...objects: Document[]) =>
  [...new Set(objects.flatMap(Object.keys))].sort()

function toChange(path: string, left: unknown, right: unknown): Change[] {
  if (toText(left) === toText(right)) return []
  if (isEmpty(left)) return [{ kind: 'added', path }]
  return [{ kind: isEmpty(right) ? 'removed' : 'changed', path }]
}

const isEmpty = (value: unknown) => value === undefined || value === null

/** With sorted keys, so that only values differ. */
const toText = (value: unknown) => JSON.stringify(sorted(value), null, 2)

/** Positions of nodes on the page Flows change nothing of the bot. */
function withoutPositions({ flows, ...document }: Document): Document {
  if (!isObject(flows)) return flows === undefined ? document : { ...document, flows }
  const entries = Object.entries(flows).map(([flow, value]) => {
    if (!isObject(value) || !isObject(value.nodes)) return [flow, value]
    const nodes = Object.entries(value.nodes).map(([name, node]) => {
      if (!isObject(node)) return [name, node]
      const { position: _, ...rest } = node
      return [name, rest]
    })
    return [flow, { ...value, nodes: Object.fromEntries(nodes) }]
  })
  return { ...document, flows: Object.fromEntries(entries) }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

/** Returns the definition and the code of a document as texts to compare. */
export function splitIntoParts(document: Document) {
  const { $schema: _schema, code, files, ...definition } = withoutPositions(document)
  const named = isObject(files)
    ? Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
    : []
  const texts = [
    ...(typeof code === 'string' ? [readable(code)] : []),
    ...named.map(([path, text]) => `// ${path}\n${text}`),
  ]
  return { definition: toText(definition), code: texts.join('\n\n') }
}

const longLine = 300

/** Breaks the long lines of minified code at statements, so that their differences can be seen. */
function readable(code: string): string {
  return code
    .split('\n')
    .map((line) =>
      line.length > longLine ? line.replaceAll(/([;{}])(?=\S)/g, '$1\n') : line,
    )
    .join('\n')
}
