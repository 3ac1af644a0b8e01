// The part of the bot that the address names.
import { useCallback } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useStudio } from './draft/use-draft.tsx'
import { listFlows } from './flows/bot-document.ts'
import { useFlowEditor } from './flows/flow-editor.tsx'
import { type Part, parts } from './parts-nav.tsx'
import type { FoundPlace } from './search-box.tsx'

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

export type Opened =
  | FoundPlace
  /** `language`: texts that are not translated into it. */
  | { part: Part; language?: string }

/** Shows a place in any flow. The selection of another flow is made when it is shown. */
export function useOpen({ flow, openFlow, openPart }: Place) {
  const { select } = useFlowEditor()
  const [, setNode] = useFilter('node')
  const [, setLanguage] = useFilter('language')
  const [, setTranslation] = useFilter('translation')
  return (opened: Opened) => {
    if ('part' in opened) {
      openPart(opened.part)
      if (opened.language === undefined) return
      setLanguage(opened.language)
      return setTranslation('missing')
    }
    const { node, card } = opened
    openFlow(opened.flow)
    if (node === undefined) return
    if (opened.flow === flow) select({ nodes: [node], card, isOpen: true })
    else setNode(card === undefined ? node : `${node}/${card}`)
  }
}
