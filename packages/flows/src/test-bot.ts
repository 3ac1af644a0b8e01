// The handler that runs the tests of a document, in a process of hosted code: their bot is the
// author's. build.js bundles it with the engine; compile.ts adds it to the document.
import type { Program } from './document/program.ts'
import { toScripts } from './testing/document-tests.ts'
import { runScript, type ScriptResult } from './testing/runner.ts'

/** As the server reads it. `step` counts from 1; 0 is the test itself. */
interface TestResult {
  name: string
  ms: number
  failure?: { step: number; message: string; trace?: string }
}

const maxMessage = 2_000
const maxTrace = 8_000

/** The body of a request has `names` of tests, null for all. */
export const runTests =
  (program: Program) =>
  async ({ body = '{}' }: { body?: string }): Promise<{ status: number; body: string }> => {
    const { names } = JSON.parse(body) as { names: string[] | null }
    const results: TestResult[] = []
    // In sequence: a script replaces the clock of the process.
    for (const script of toScripts(program.document))
      if (names === null || names.includes(script.name))
        results.push(toResult(await runScript(program, script)))
    return { status: 200, body: JSON.stringify({ results }) }
  }

const toResult = ({ name, ms, failure }: ScriptResult): TestResult => ({
  name,
  ms: Math.round(ms),
  ...(failure && {
    failure: {
      step: failure.line,
      message: failure.message.slice(0, maxMessage),
      ...(failure.trace && { trace: failure.trace.slice(0, maxTrace) }),
    },
  }),
})
