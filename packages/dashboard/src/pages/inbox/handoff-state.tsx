// Who answers, above the composer, with the action that lets the reader answer.
import type { HandoffDetails } from '@botstead/contract'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { texts } from '../../texts/texts.ts'
import { storedDraft } from './draft.ts'
import { useMemberName } from './members.ts'
import { useTakeOver } from './take-over.tsx'
import { useAssignment, useOwnId } from './use-handoff.ts'

const t = texts.inbox

export function HandoffState({ handoff }: { handoff: HandoffDetails }) {
  const { state, assignedTo, botReceives } = handoff
  const ownId = useOwnId()
  if (state === 'closed') return <Closed handoff={handoff} />
  if (state === 'waiting') return <Waiting handoff={handoff} />
  if (assignedTo !== ownId) return <Other handoff={handoff} />
  return <Line text={botReceives === 'nothing' ? t.mine : t.mineRelayed} />
}

function Line({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
      {children}
    </Group>
  )
}

function Waiting({ handoff }: { handoff: HandoffDetails }) {
  return (
    <Line text={t.waiting}>
      <Take handoff={handoff} label={t.take} />
    </Line>
  )
}

/** Appears at once when another member takes the conversation. */
function Other({ handoff }: { handoff: HandoffDetails }) {
  const nameOf = useMemberName()
  const isEditor = useMay()('data.write')
  return (
    <Alert role="alert" color="pine" p="sm" title={t.other(nameOf(handoff.assignedTo ?? ''))}>
      {isEditor && (
        <Group justify="space-between" gap="xs">
          <Text size="sm">{storedDraft(handoff.id) ? t.otherDraft : t.otherHint}</Text>
          <Take handoff={handoff} label={t.takeOver} />
        </Group>
      )}
    </Alert>
  )
}

function Take({ handoff, label }: { handoff: HandoffDetails; label: string }) {
  const ownId = useOwnId()
  const isEditor = useMay()('data.write')
  const assign = useAssignment(handoff)
  if (!isEditor || !ownId) return null
  return (
    <>
      <Button size="compact-md" loading={assign.isPending} onClick={() => assign.mutate(ownId)}>
        {label}
      </Button>
      <ActionError error={assign.error} />
    </>
  )
}

function Closed({ handoff: { conversationId, outcome } }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('data.write')
  const takeOver = useTakeOver()
  const reopen = useMutation({ mutationFn: () => takeOver(conversationId) })
  return (
    <Line text={t.outcomes[outcome ?? 'returned']}>
      {isEditor && (
        <Button
          size="compact-md"
          variant="default"
          loading={reopen.isPending}
          onClick={() => reopen.mutate()}
        >
          {t.reopen}
        </Button>
      )}
      <ActionError error={reopen.error} />
    </Line>
  )
}
