// Who answers, above the composer, with the action that lets the reader answer.
import type { HandoffDetails } from '@botstead/contract'
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionQuery, useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { storedDraft } from './draft.ts'
import { useMemberName } from './members.ts'
import { TakeButton } from './take-button.tsx'
import { useTakeOver } from './take-over.tsx'
import { useAssignment, useOwnId } from './use-handoff.ts'

const t = texts.inbox

export function HandoffState({ handoff }: { handoff: HandoffDetails }) {
  const { state, source, assignedTo, botReceives } = handoff
  const ownId = useOwnId()
  if (state === 'closed') return <Closed handoff={handoff} />
  if (source === 'hitl') return <Line text={t.atHelpDesk} />
  if (state === 'waiting') return <Waiting handoff={handoff} />
  if (assignedTo !== ownId) return <Other handoff={handoff} />
  return (
    <Line text={botReceives === 'nothing' ? t.mine : t.mineRelayed}>
      <SeenAs />
    </Line>
  )
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

/** The name of the reader in the chat. */
function SeenAs() {
  const { data } = useQuery(sessionQuery)
  if (!data) return null
  return (
    <Text size="sm" c="dimmed" className="foreign">
      {data.account.displayName ? t.seenAs(data.account.displayName) : t.unnamed}{' '}
      <Anchor component={Link} size="sm" to="/account">
        {t.changeName}
      </Anchor>
    </Text>
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
  const getName = useMemberName([handoff.assignedTo])
  const isEditor = useMay()('conversations.write')
  return (
    <Alert
      role="alert"
      color="pine"
      p="sm"
      title={t.other(getName(handoff.assignedTo ?? ''))}
    >
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
  const isEditor = useMay()('conversations.write')
  const { mutateAsync: assign } = useAssignment(handoff)
  if (!isEditor || !ownId) return null
  return <TakeButton size="compact-md" label={label} take={() => assign(ownId)} />
}

function Closed({ handoff: { conversationId, outcome } }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('conversations.write')
  const takeOver = useTakeOver()
  return (
    <Line text={t.outcomes[outcome ?? 'returned']}>
      {isEditor && (
        <TakeButton
          size="compact-md"
          variant="default"
          label={t.reopen}
          take={() => takeOver(conversationId)}
        />
      )}
    </Line>
  )
}
