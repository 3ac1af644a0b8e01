// The part of the bot that the address names.
import { useCallback } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useStudio } from './draft/use-draft.tsx'
import { listFlows } from './flows/bot-document.ts'
import { type Part, parts } from './parts-nav.tsx'

export function usePlace() {
  const { value } = useStudio()
  const [chosenFlow, setFlow] = useFilter('flow')
  const [chosenPart, setPart] = useFilter('part')
  const flows = listFlows(value)
  const flow = flows.find((name) => name === chosenFlow) ?? flows[0] ?? 'main'
  const part = parts.find((name) => name === chosenPart)
  const openFlow = useCallback(
    (name: string) => {
      setPart('')
      setFlow(name)
    },
    [setFlow, setPart],
  )
  return {
    flow,
    part,
    openFlow,
    openPart: (name: Part) => setPart(name),
    hasFlows: flows.length > 0,
  }
}

export type Place = ReturnType<typeof usePlace>
