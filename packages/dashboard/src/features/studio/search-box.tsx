// Searches flows, steps, texts and variables of the bot.
import { Autocomplete } from '@mantine/core'
import { useMemo, useState } from 'react'
import { IconSearch } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { useStudio } from './draft/use-draft.tsx'
import { type Json, listFlows, listNodes, listVariables } from './flows/bot-document.ts'
import { describeCard } from './flows/flow-graph.ts'
import { toCardTitle } from './forms/bot-schema.ts'

const t = texts.studio
const maxFound = 30

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
    { flow, label: flow, words: flow },
    ...listVariables(document, flow)
      .filter((name) => name.startsWith('workflow.'))
      .map((name) => ({ flow, label: `${flow} · ${name}`, words: name })),
    ...listNodes(document, flow).flatMap(([node, { cards }]): Entry[] => [
      { flow, node, label: `${flow} · ${node}`, words: node },
      ...cards.map((each, card) => ({
        flow,
        node,
        card,
        label:
          `${flow} · ${node} · ${texts.common.labelled(toCardTitle(each.type), describeCard(each))}`.slice(
            0,
            120,
          ),
        words: JSON.stringify(each),
      })),
    ]),
  ])
}

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
