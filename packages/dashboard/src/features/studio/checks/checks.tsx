// The check of the draft, by the server, after each change. Problems prevent its publishing.
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
import { translateProblem } from '../../../texts/of-document.ts'
import { isFinal } from '../draft/draft-server.ts'
import { useStudio } from '../draft/use-draft.tsx'
import type { Json } from '../flows/bot-document.ts'
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

/** After a check that took longer than this, the next one waits for a pause of the same time. */
const quickMs = 250
const maxPauseMs = 1_000

interface Checked extends Omit<Checks, 'isCurrent'> {
  document: Json
}

export function CheckedDraft({ children }: { children: ReactNode }) {
  const { value, isEditor } = useStudio()
  const checked = useChecked(value, isEditor)
  const isCurrent = checked?.document === value
  const checks = useMemo(
    () => (checked ? { ...checked, isCurrent } : unknown),
    [checked, isCurrent],
  )
  return <Context value={checks}>{children}</Context>
}

function useChecked(value: Json, isEditor: boolean): Checked | null {
  const { client } = useBot()
  const [checked, setChecked] = useState<Checked | null>(null)
  const tookMs = useRef(0)
  useEffect(() => {
    if (!isEditor) return
    const ended = new AbortController()
    const { signal } = ended
    const check = async () => {
      const from = performance.now()
      const body = { document: value }
      const { problems, warnings } = await client.platform.checkBotDocument(
        { body },
        { signal },
      )
      tookMs.current = performance.now() - from
      const translate = (found: Problem[]) =>
        found.map(({ pointer, message }) => ({
          pointer,
          message: translateProblem(message),
        }))
      if (signal.aborted) return
      setChecked({
        document: value,
        problems: translate(problems),
        warnings: translate(warnings),
      })
    }
    const waitMs = tookMs.current > quickMs ? Math.min(tookMs.current, maxPauseMs) : 0
    const timer = setTimeout(() => void untilAnswered(check, signal), waitMs)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [value, client, isEditor])
  return checked
}

const retryMs = 3_000

/** Repeats a check that a server could not answer, such as while it restarts. */
async function untilAnswered(
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
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
