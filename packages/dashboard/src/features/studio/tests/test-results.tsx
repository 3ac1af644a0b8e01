// Results of the document's tests: for the panel that runs them, and for the marks of steps without a test.
import type { DraftTestResult } from '@botstead/contract'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useState,
} from 'react'
import { useStudio } from '../draft/use-draft.tsx'
import type { Json } from '../flows/bot-document.ts'
import { type Coverage, findCoverage, keepResults, type TestResults } from './coverage.ts'

interface Tests {
  results: TestResults
  /** Stores the results of tests of this document. */
  note: (document: Json, results: DraftTestResult[]) => void
  coverage: Coverage | null
  /** Whether the canvas and the list mark steps without a test. */
  marks: boolean
  setMarks: (marks: boolean) => void
}

const Context = createContext<Tests | null>(null)

export function useTests(): Tests {
  const tests = useContext(Context)
  if (!tests) throw new Error('This part is outside of a page with tests')
  return tests
}

const none: ReadonlySet<string> = new Set()

/** Returns the pointers of the steps to mark. */
export function useUntested(): ReadonlySet<string> {
  const { marks, coverage } = useTests()
  return marks && coverage ? coverage.untested : none
}

export function TestedDraft({ children }: { children: ReactNode }) {
  const { value } = useStudio()
  const [results, setResults] = useState<TestResults>(new Map())
  const [marks, setMarks] = useState(true)
  const note = useCallback(
    (document: Json, found: DraftTestResult[]) =>
      setResults((known) => keepResults(known, document, found)),
    [],
  )
  const coverage = useMemo(() => findCoverage(value, results), [value, results])
  const tests = useMemo(
    () => ({ results, note, coverage, marks, setMarks }),
    [results, note, coverage, marks],
  )
  return <Context value={tests}>{children}</Context>
}
