// The check of the draft, by the server: a short pause after each change. Problems prevent its publishing.

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useBot } from '../../../api/scope.ts'
import { useStudio } from '../draft/use-draft.tsx'

export interface Problem {
  pointer: string
  message: string
}

export interface Checks {
  problems: Problem[]
  warnings: Problem[]
  /** Whether the problems are those of the document that the page shows. */
  isCurrent: boolean
}

const unknown: Checks = { problems: [], warnings: [], isCurrent: false }
const Context = createContext<Checks>(unknown)

export const useChecks = () => useContext(Context)

const pauseMs = 150

export function CheckedDraft({ children }: { children: ReactNode }) {
  const { botId, client } = useBot()
  const { value } = useStudio()
  const [document] = useDebouncedValue(value, pauseMs)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['studio', botId, 'check', document],
    queryKeyHashFn: () => `studio ${botId} check ${toNumber(document)}`,
    queryFn: ({ signal }) => client.platform.checkBotDocument({ body: { document } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const isCurrent = data !== undefined && !isPlaceholderData && document === value
  const checks = useMemo(
    () => (data ? { problems: data.problems, warnings: data.warnings, isCurrent } : unknown),
    [data, isCurrent],
  )
  return <Context value={checks}>{children}</Context>
}

/** Hashing a document would take longer than a key needs. */
const numbers = new WeakMap<object, number>()
let last = 0
function toNumber(document: object): number {
  const known = numbers.get(document)
  if (known !== undefined) return known
  numbers.set(document, ++last)
  return last
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
