// Documents of older versions, one step up at a time, until they are of the newest.
import { documentVersion } from './document.ts'

type Json = Record<string, unknown>

/** What makes a document of this version one of the next. */
const steps: Record<number, (document: Json) => Json> = {
  // Version 1 had no flows. What it had is as it was.
  1: (document) => document,
}

/** What is no document at all comes out as it went in: whoever checks it says so. */
export function migrate(given: unknown): unknown {
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
