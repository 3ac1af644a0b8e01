// Chooses the kind of a new card or step: type a part of its name, Enter takes the first.
import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { texts } from '../../../texts/texts.ts'
import { type NewKind, type Place, useFlowEditor } from '../flows/flow-editor.tsx'
import { toCardTitle } from '../flows/names.ts'
import { cards } from '../forms/bot-schema.ts'
import styles from '../studio.module.css'

const t = texts.studio

interface Choice {
  kind: NewKind
  title: string
  hint: string
}

const nodeKinds = ['standard', 'agent', 'exit', 'end', 'trigger', 'exception']

const choices: Choice[] = [
  ...Object.keys(cards).map((type) => ({
    kind: { card: type },
    title: toCardTitle(type),
    hint: t.cardHints[type] ?? '',
  })),
]
/** Questions by their answer, offered only to a search: the list would be long. */
const questions: Choice[] = Object.keys(t.questionHints).map((asks) => ({
  kind: { card: 'capture', asks },
  title: t.askFor(t.names.words[asks] ?? asks),
  hint: t.questionHints[asks] ?? '',
}))
const steps: Choice[] = nodeKinds.map((type) => ({
  kind: { node: type },
  title: t.newStep(t.nodeTypes[type] ?? type),
  hint: t.nodeHints[type] ?? '',
}))

export function Palette() {
  const { place, openPalette } = useFlowEditor()
  if (!place) return null
  return (
    <Modal opened onClose={() => openPalette(null)} title={t.addTitle} size="md">
      <Choices place={place} />
    </Modal>
  )
}

function Choices({ place }: { place: Place }) {
  const { add, openPalette } = useFlowEditor()
  const [wanted, setWanted] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const words = wanted.trim().toLowerCase()
  const offered = [
    ...choices,
    ...(words === '' ? [] : questions),
    ...(place.node === undefined ? steps : []),
  ]
  const found = offered.filter(({ title, hint }) =>
    `${title} ${hint}`.toLowerCase().includes(words),
  )
  const byTitle = found.toSorted(
    (one, other) => Number(startsWith(other, words)) - Number(startsWith(one, words)),
  )
  const choose = ({ kind }: Choice) => {
    openPalette(null)
    add(kind, place)
  }
  const moveFocus = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const buttons = [...list.current!.querySelectorAll('button')]
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[Math.max(index + by, 0)]?.focus()
  }
  return (
    <Stack gap="xs" onKeyDown={moveFocus}>
      <TextInput
        label={t.search}
        value={wanted}
        data-autofocus
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && byTitle[0]) choose(byTitle[0])
        }}
      />
      <div ref={list} className={styles.choices}>
        {byTitle.map((choice) => (
          <UnstyledButton
            key={choice.title}
            className={styles.choice}
            onClick={() => choose(choice)}
          >
            <Text size="sm" fw={600} component="span">
              {choice.title}
            </Text>
            <Text size="xs" c="dimmed" component="span">
              {choice.hint}
            </Text>
          </UnstyledButton>
        ))}
        {byTitle.length === 0 && <Text size="sm">{t.nothingFound}</Text>}
      </div>
    </Stack>
  )
}

const startsWith = ({ title }: Choice, words: string) =>
  title.toLowerCase().startsWith(words)
