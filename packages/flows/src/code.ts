// Runs what an author wrote: hooks, actions, code cards. Each run has a realm of its own (realm.ts), so that code which ran out of time is gone for good.
// It walls nothing in: the process of the bot is what the server walls in.
import { Script } from 'node:vm'
import { compileError, endedBadly } from './code-error.ts'
import { runInRealm, type Surroundings } from './realm.ts'
import { doors } from './realm-inside.ts'

/** What to run, without types. */
export interface Source {
  code: string
  /** How errors name it: the path of its file, or where it stands in the document. */
  file: string
}

const before = `'use strict';globalThis['${doors.finish}']((async () => {`

/**
 * Runs it with top-level `await`, and answers what it returns, as JSON. What it changes in the event, in what is outgoing and in the scopes is changed in the
 * objects given; not when it throws. Throws CodeError.
 */
export async function runCode(
  source: Source,
  surroundings: Surroundings,
  timeoutMs: number,
): Promise<unknown> {
  const ending = await runInRealm(compile(source), surroundings, { timeoutMs, keeps: true })
  if ('fault' in ending) throw endedBadly(ending, source)
  return ending.value
}

/** Whether it can run at all; throws CodeError. There is no loader, so what it imports is not found. */
export function compile(source: Source): Script {
  try {
    return new Script(`${before}${source.code}\n})())`, {
      filename: source.file,
      columnOffset: -before.length,
    })
  } catch (error) {
    throw compileError(error, source)
  }
}
