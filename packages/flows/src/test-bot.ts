// The handler that runs the tests of a document, in a process of hosted code: their bot is the
// author's. build.js bundles it with the engine; compile.ts adds it to the document.
import type { Program } from './document/program.ts'
import { toScripts } from './testing/document-tests.ts'
import { type Difference, runScript, type ScriptFailure } from './testing/runner.ts'
import type { ScriptPlace, VisitedNodes } from './testing/walk.ts'

/** As the server reads it. */
interface TestResult {
  name: string
  ms: number
  failure?: TestFailure
  visited: VisitedNodes[]
  /** How many visited nodes the limit left out. */
  unlisted?: number
}

/** `step` counts from 1; 0 is the test itself. */
interface TestFailure {
  step: number
  message: string
  difference?: Difference
  place?: ScriptPlace
  trace?: string
}

const maxMessage = 2_000
const maxTrace = 8_000
/** Visited nodes of all tests of a run. */
const maxVisited = 20_000

/** The body of a request has `names` of tests, null for all. */
export const runTests =
  (program: Program) =>
  async ({
    body = '{}',
  }: {
    body?: string
  }): Promise<{ status: number; body: string }> => {
    const { names } = JSON.parse(body) as { names: string[] | null }
    const results: TestResult[] = []
    let left = maxVisited
    // In sequence: a script replaces the clock of the process.
    for (const script of toScripts(program.document)) {
      if (names !== null && !names.includes(script.name)) continue
      const { name, ms, failure, visited } = await runScript(program, script)
      const listed = limitNodes(visited, left)
      left -= listed.count
      results.push({
        name,
        ms: Math.round(ms),
        ...(failure && { failure: toFailure(failure) }),
        visited: listed.visited,
        ...(listed.unlisted > 0 && { unlisted: listed.unlisted }),
      })
    }
    return { status: 200, body: JSON.stringify({ results }) }
  }

const toFailure = ({
  line,
  message,
  difference,
  place,
  trace,
}: ScriptFailure): TestFailure => ({
  step: line,
  message: message.slice(0, maxMessage),
  ...(difference && {
    difference: {
      expected: difference.expected?.slice(0, maxMessage) ?? null,
      actual: difference.actual?.slice(0, maxMessage) ?? null,
    },
  }),
  ...(place && { place }),
  ...(trace && { trace: trace.slice(0, maxTrace) }),
})

/** Returns the first nodes, up to the limit, and how many there are and were left out. */
function limitNodes(all: VisitedNodes[], max: number) {
  const visited: VisitedNodes[] = []
  let [count, unlisted] = [0, 0]
  for (const { flow, nodes } of all) {
    const listed = nodes.slice(0, max - count)
    if (listed.length > 0) visited.push({ flow, nodes: listed })
    count += listed.length
    unlisted += nodes.length - listed.length
  }
  return { visited, count, unlisted }
}
