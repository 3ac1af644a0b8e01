// The documents of a version and of the current state, and their differences in words.
import type { Client } from '@botstead/client'
import type { SavedVersion } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

type Document = Record<string, unknown>

export interface Documents {
  version: Document
  current: Document
}

/** Each dialog reads both again, because the bot may have changed. */
export function useDocuments({ id: versionId }: SavedVersion) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'documents', versionId],
    queryFn: async ({ signal }): Promise<Documents> => {
      const [version, current] = await Promise.all([
        findDocument(client, botId, versionId, signal),
        client.admin.getBotJson({ params: { id: botId } }, { signal }),
      ])
      return { version, current: current as Document }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** Downloads a version. The URL expires, so it is requested each time. */
export async function findDocument(
  client: Client,
  id: string,
  versionId: string,
  signal?: AbortSignal,
): Promise<Document> {
  const options = signal ? { signal } : {}
  const { url } = await client.admin.getBotVersion({ params: { id, versionId } }, options)
  // The server may know itself by another address.
  const { pathname, search } = new URL(url)
  const response = await fetch(pathname + search, options)
  if (!response.ok) throw new Error(`The download failed with status ${response.status}`)
  return response.json()
}

export interface Change {
  kind: 'added' | 'removed' | 'changed'
  /** A part of the document, such as `actions.sum`. */
  path: string
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the parts that differ, by the second level: what `after` has that `before` lacks is added. */
export function changesBetween(before: Document, after: Document): Change[] {
  return toNames(before, after)
    .filter((name) => name !== '$schema')
    .flatMap((name) => {
      const [left, right] = [before[name], after[name]]
      if (!isObject(left ?? {}) || !isObject(right ?? {})) return toChange(name, left, right)
      return changesInside(name, (left ?? {}) as Document, (right ?? {}) as Document)
    })
}

const changesInside = (name: string, left: Document, right: Document) =>
  toNames(left, right).flatMap((key) => toChange(`${name}.${key}`, left[key], right[key]))

const toNames = (...objects: Document[]) => [...new Set(objects.flatMap(Object.keys))].sort()

function toChange(path: string, left: unknown, right: unknown): Change[] {
  if (toText(left) === toText(right)) return []
  if (isEmpty(left)) return [{ kind: 'added', path }]
  return [{ kind: isEmpty(right) ? 'removed' : 'changed', path }]
}

const isEmpty = (value: unknown) => value === undefined || value === null

/** With sorted keys, so that only values differ. */
const toText = (value: unknown) => JSON.stringify(sorted(value), null, 2)

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

/** Returns the definition and the code of a document as texts to compare. */
export function splitIntoParts({ $schema: _schema, code, files, ...definition }: Document) {
  const named = isObject(files) ? Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)) : []
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
    .map((line) => (line.length > longLine ? line.replaceAll(/([;{}])(?=\S)/g, '$1\n') : line))
    .join('\n')
}
