// The check of the draft, by the server: a short pause after each change. Problems prevent its publishing.
// In a large document, the changed step is checked first.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBot } from '../../../api/scope.ts'
import { isFinal } from '../draft/draft-server.ts'
import { useStudio } from '../draft/use-draft.tsx'
import type { Json } from '../flows/bot-document.ts'
import { findChangedStep, omitOtherCards, replaceProblems } from './changed-step.ts'
import type { Problem } from './problem.ts'

export interface Checks {
  problems: Problem[]
  warnings: Problem[]
  /** Whether the problems are those of the document that the page shows. */
  isCurrent: boolean
}

const unknown: Checks = { problems: [], warnings: [], isCurrent: false }
const Context = createContext<Checks>(unknown)

export const useChecks = () => useContext(Context)

/** Before the check of a step, which takes some ms. */
const stepPauseMs = 20
/** Before the check of the whole document. */
const pauseMs = 150
/** A check of the whole that took longer waits for a pause of typing of the same time, at most this. */
const maxPauseMs = 1_000

interface Checked {
  document: Json
  checks: Checks
}

export function CheckedDraft({ children }: { children: ReactNode }) {
  const { value, isEditor } = useStudio()
  const checked = useChecked(value, isEditor)
  const isCurrent = checked?.document === value && checked.checks.isCurrent
  const checks = useMemo(
    () => (checked ? { ...checked.checks, isCurrent } : unknown),
    [checked, isCurrent],
  )
  return <Context value={checks}>{children}</Context>
}

/** Returns the last check: of the whole, or of the whole before a step changed, and then of this step. */
function useChecked(value: Json, isEditor: boolean): Checked | null {
  const { client } = useBot()
  const [checked, setChecked] = useState<Checked | null>(null)
  const whole = useRef<Checked | null>(null)
  const tookMs = useRef(0)
  useEffect(() => {
    if (!isEditor) return
    const ended = new AbortController()
    const { signal } = ended
    const check = (document: Json) =>
      client.platform.checkBotDocument({ body: { document } }, { signal })
    const checkWhole = async () => {
      const from = performance.now()
      const { problems, warnings } = await check(value)
      tookMs.current = performance.now() - from
      whole.current = { document: value, checks: { problems, warnings, isCurrent: true } }
      if (!signal.aborted) setChecked(whole.current)
    }
    const known = whole.current
    const step = known && findChangedStep(known.document, value)
    const checkStep = async () => {
      if (!step) return
      const fresh = await check(omitOtherCards(value, step))
      const { problems, warnings } = known.checks
      const checks = {
        problems: replaceProblems(problems, fresh.problems, step),
        warnings: replaceProblems(warnings, fresh.warnings, step),
        isCurrent: false,
      }
      if (!signal.aborted && whole.current === known) setChecked({ document: value, checks })
    }
    const wholePauseMs = Math.min(Math.max(pauseMs, tookMs.current), maxPauseMs)
    const timers = [
      // The check of the whole reports a failure.
      setTimeout(() => void checkStep().catch(() => {}), stepPauseMs),
      setTimeout(() => void untilAnswered(checkWhole, signal), wholePauseMs),
    ]
    return () => {
      ended.abort()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [value, client, isEditor])
  return checked
}

const retryMs = 3_000

/** Repeats a check that a server could not answer, such as while it restarts. */
async function untilAnswered(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    try {
      return await work()
    } catch (error) {
      if (isFinal(error)) return
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
}

const isInside = (pointer: string, parent: string) =>
  pointer === parent || pointer.startsWith(`${parent}/`)

/** Returns the message of the first problem of a value; of its parts only if these show none. */
export function useProblemAt(pointer: string, { withParts }: { withParts: boolean }) {
  const { problems, warnings } = useChecks()
  const matches = (problem: Problem) =>
    withParts ? isInside(problem.pointer, pointer) : problem.pointer === pointer
  return (problems.find(matches) ?? warnings.find(matches))?.message
}

/** Returns how many problems are inside of a part. */
export const countInside = (found: Problem[], pointer: string) =>
  found.filter((problem) => isInside(problem.pointer, pointer)).length
