// Searches flows, steps, texts and variables of the bot.
import { Autocomplete } from '@mantine/core'
import { useMemo, useState } from 'react'
import { IconSearch } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { useStudio } from './draft/use-draft.tsx'
import {
  type Card,
  type Json,
  listFlows,
  listNodes,
  listVariables,
} from './flows/bot-document.ts'
import { describeCard } from './flows/flow-graph.ts'
import { nameFlow, toCardTitle } from './flows/names.ts'

const t = texts.studio
const [maxFound, maxLength] = [30, 120]

export interface FoundPlace {
  flow: string
  node?: string
  card?: number
}

interface Entry extends FoundPlace {
  label: string
  words: string
}

function listEntries(document: Json): Entry[] {
  return listFlows(document).flatMap((flow): Entry[] => [
    { flow, label: nameFlow(flow), words: `${flow} ${nameFlow(flow)}` },
    ...listVariables(document, flow)
      .filter((name) => name.startsWith('workflow.'))
      .map((name) => ({
        flow,
        label: `${nameFlow(flow)} · ${name.slice('workflow.'.length)}`,
        words: name,
      })),
    ...listNodes(document, flow).flatMap(([node, { cards }]): Entry[] => [
      { flow, node, label: `${nameFlow(flow)} · ${node}`, words: node },
      ...cards.map((each, card) => ({
        flow,
        node,
        card,
        label: `${nameFlow(flow)} · ${node} · ${toCardLabel(each)}`.slice(0, maxLength),
        words: JSON.stringify(each),
      })),
    ]),
  ])
}

const toCardLabel = (card: Card) =>
  texts.common.labelled(toCardTitle(card.type), describeCard(card))

export function SearchBox({ open }: { open: (place: FoundPlace) => void }) {
  const { value } = useStudio()
  const [wanted, setWanted] = useState('')
  const found = useMemo(() => {
    const words = wanted.trim().toLowerCase()
    if (words === '') return []
    const matching: Entry[] = []
    const labels = new Set<string>()
    for (const entry of listEntries(value)) {
      if (labels.has(entry.label) || !entry.words.toLowerCase().includes(words)) continue
      labels.add(entry.label)
      matching.push(entry)
      if (matching.length === maxFound) break
    }
    return matching
  }, [value, wanted])
  return (
    <Autocomplete
      aria-label={t.searchAll}
      placeholder={texts.common.search}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      size="xs"
      w={180}
      value={wanted}
      data={found.map(({ label }) => label)}
      filter={({ options }) => options}
      comboboxProps={{ width: 420, position: 'bottom-end' }}
      onChange={setWanted}
      onOptionSubmit={(label) => {
        const place = found.find((entry) => entry.label === label)
        setWanted('')
        if (place) open(place)
      }}
    />
  )
}
