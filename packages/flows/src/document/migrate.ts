// Converts documents of older versions to the current one, one version at a time.
import { documentVersion } from './document.ts'

type Json = Record<string, unknown>

/** Steps by version; each converts to the next version. */
const steps: Record<number, (document: Json) => Json> = {
  // Version 1 had no flows. Its fields are unchanged.
  1: (document) => document,
}

/**
 * Returns the document in the current version. Returns other values unchanged; checkDocument
 * rejects them.
 */
export function migrateDocument(given: unknown): unknown {
  let document = given as Json
  while (
    isObject(document) &&
    typeof document.version === 'number' &&
    Object.hasOwn(steps, document.version) &&
    document.version < documentVersion
  )
    document = { ...steps[document.version]!(document), version: document.version + 1 }
  return document
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
