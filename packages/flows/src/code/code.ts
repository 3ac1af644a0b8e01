// Runs the author's code: hooks, actions, code cards. Each run has a separate realm (realm.ts), so
// that a timeout stops the code completely. This is not a security boundary: the server isolates
// the process of the bot.
import { Script } from 'node:vm'
import type { Source } from '../document/program.ts'
import { compileError, runtimeError } from './code-error.ts'
import { runInRealm } from './realm.ts'
import { bridgeNames } from './realm-inside.ts'
import type { Surroundings } from './surroundings.ts'

const before = `'use strict';globalThis['${bridgeNames.finish}']((async () => {`

/**
 * Runs code with top-level `await` and returns its result as JSON. Copies the changes of the event,
 * the outgoing event and the scopes to the given objects, unless the code throws. Throws CodeError.
 */
export async function runCode(
  source: Source,
  surroundings: Surroundings,
  timeoutMs: number,
): Promise<unknown> {
  const ending = await runInRealm(compileScript(source), surroundings, {
    timeoutMs,
    keeps: true,
  })
  if ('fault' in ending) throw runtimeError(ending, source)
  return ending.value
}

/**
 * Compiles the code. Throws CodeError for a syntax error. There is no module loader, so imports
 * fail.
 */
function compileScript(source: Source): Script {
  try {
    return new Script(`${before}${source.code}\n})())`, {
      filename: source.file,
      columnOffset: -before.length,
    })
  } catch (error) {
    throw compileError(error, source)
  }
}
