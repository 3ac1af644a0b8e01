// Which steps the tests of a document visit, by the last result of each test.
import type { DraftTestResult } from '@botstead/contract'
import {
  isObject,
  type Json,
  listFlows,
  listNodes,
  toObject,
} from '../flows/bot-document.ts'
import { nodePointer } from '../flows/places.ts'

interface TestOutcome {
  result: DraftTestResult
  /** The document that was tested. */
  document: Json
}

/** By the test in the document: it stays the same object when it is renamed, and when other parts change. */
export type TestResults = ReadonlyMap<object, TestOutcome>

export interface Coverage {
  /** How many steps the bot has. */
  steps: number
  /** Pointers of the steps that no test visited. */
  untested: ReadonlySet<string>
}

export const listTests = (document: Json): [name: string, test: Json][] =>
  Object.entries(toObject(document.tests)).map(([name, test]) => [
    name,
    isObject(test) ? test : {},
  ])

/** Adds results. Those of tests that the document no longer has are left out. */
export function keepResults(
  known: TestResults,
  document: Json,
  results: DraftTestResult[],
): TestResults {
  const byName = new Map(results.map((result) => [result.name, result]))
  return new Map(
    listTests(document).flatMap(([name, test]): [object, TestOutcome][] => {
      const result = byName.get(name)
      const outcome = result ? { result, document } : known.get(test)
      return outcome ? [[test, outcome]] : []
    }),
  )
}

/** Returns null before each test has run, and if a result does not list all visited steps. */
export function findCoverage(document: Json, results: TestResults): Coverage | null {
  const tests = listTests(document)
  const outcomes = tests.flatMap(([, test]) => results.get(test) ?? [])
  if (tests.length === 0 || outcomes.length < tests.length) return null
  if (outcomes.some(({ result }) => result.unlisted)) return null
  const visited = new Set(
    outcomes.flatMap(({ result }) =>
      result.visited.flatMap(({ flow, nodes }) =>
        nodes.map((node) => nodePointer(flow, node)),
      ),
    ),
  )
  const steps = listFlows(document).flatMap((flow) =>
    listNodes(document, flow).map(([node]) => nodePointer(flow, node)),
  )
  return {
    steps: steps.length,
    untested: new Set(steps.filter((step) => !visited.has(step))),
  }
}

/** Whether the bot is as it was when it was tested; its tests may differ. */
export function isSameBot(one: Json, other: Json): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  names.delete('tests')
  return [...names].every((name) => one[name] === other[name])
}
