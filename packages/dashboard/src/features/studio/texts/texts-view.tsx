// The page of all sentences: search, edit in place, open the card.
import { Anchor, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Empty } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { useProblemAt } from '../checks/checks.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import styles from '../studio.module.css'
import { listSentences, type Sentence } from './bot-texts.ts'

const t = texts.studio

export function TextsView({ openFlow }: { openFlow: (flow: string) => void }) {
  const { value } = useStudio()
  const [wanted, setWanted] = useState('')
  const all = useMemo(() => listSentences(value), [value])
  const words = wanted.trim().toLowerCase()
  const found = all.filter(({ flow, node, text }) =>
    `${flow}\n${node}\n${text}`.toLowerCase().includes(words),
  )
  return (
    <Stack className={styles.form} gap="sm">
      <TextInput
        label={t.searchTexts}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Empty title={all.length === 0 ? t.noTexts : t.nothingFound} />
      ) : (
        <Sentences sentences={found} openFlow={openFlow} />
      )}
    </Stack>
  )
}

interface SentencesProps {
  sentences: Sentence[]
  openFlow: (flow: string) => void
}

const estimatedHeight = 56

/** Only the visible rows have inputs: a bot may have thousands of sentences. */
function Sentences({ sentences, openFlow }: SentencesProps) {
  const area = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: sentences.length,
    getScrollElement: () => area.current,
    estimateSize: () => estimatedHeight,
    overscan: 8,
    getItemKey: (index) => sentences[index]!.pointer,
  })
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div ref={area} tabIndex={0} style={{ overflow: 'auto', flex: 1, minHeight: 200 }}>
      <Table aria-label={t.textsTitle} aria-rowcount={sentences.length + 1} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={140}>{t.place}</Table.Th>
            <Table.Th>{t.text}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {first && first.start > 0 && (
            <tr>
              <td colSpan={2} style={{ height: first.start, padding: 0 }} />
            </tr>
          )}
          {items.map(({ key, index }) => (
            <SentenceRow
              key={key}
              index={index}
              measure={rows.measureElement}
              sentence={sentences[index]!}
              openFlow={openFlow}
            />
          ))}
          {last && rows.getTotalSize() > last.end && (
            <tr>
              <td colSpan={2} style={{ height: rows.getTotalSize() - last.end, padding: 0 }} />
            </tr>
          )}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface SentenceRowProps {
  index: number
  measure: (element: HTMLElement | null) => void
  sentence: Sentence
  openFlow: (flow: string) => void
}

function SentenceRow({ index, measure, sentence, openFlow }: SentenceRowProps) {
  const { pointer, flow, node, card, text } = sentence
  const { edit, isEditor } = useStudio()
  const problem = useProblemAt(pointer, { withParts: true })
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <Table.Td className="foreign">
        <Anchor component="button" type="button" size="sm" onClick={() => openFlow(flow)}>
          {flow} · {node}
        </Anchor>
        <Text size="xs" c="dimmed">
          {card}
        </Text>
      </Table.Td>
      <Table.Td>
        <Textarea
          aria-label={t.textIn(flow, node, card)}
          autosize
          value={text}
          error={problem}
          disabled={!isEditor}
          onChange={(event) => edit([{ op: 'set', pointer, value: event.currentTarget.value }])}
        />
      </Table.Td>
    </tr>
  )
}
