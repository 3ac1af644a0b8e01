// Ends or passes on a handoff.
import type { HandoffDetails } from '@botstead/contract'
import { Button, Menu, ScrollArea, Tooltip } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { storedDraft } from './draft.ts'
import { useAnsweringMembers } from './members.ts'
import { useAssignment, useHandoffChange, useOwnId } from './use-handoff.ts'

const t = texts.inbox

export function HandoffActions({ handoff }: { handoff: HandoffDetails }) {
  const isEditor = useMay()('conversations.write')
  const ownId = useOwnId()
  const { state, assignedTo = ownId, source } = handoff
  if (!isEditor || state === 'closed') return null
  return (
    <>
      {source !== 'hitl' && <AssignMenu handoff={handoff} />}
      {assignedTo === ownId && <CloseButtons id={handoff.id} />}
    </>
  )
}

type Outcome = 'returned' | 'solved'

/** Only the member who answers can close an assigned handoff. */
function CloseButtons({ id }: { id: string }) {
  const { client } = useBot()
  const close = useHandoffChange(id, async (outcome: Outcome) => {
    const closed = await client.platform.closeHandoff({
      params: { id },
      body: { outcome },
    })
    notifyDone(t.outcomes[outcome])
    return closed
  })
  const [unsent, setUnsent] = useState<Outcome | null>(null)
  const end = (outcome: Outcome) =>
    storedDraft(id).trim() === '' ? close.mutate(outcome) : setUnsent(outcome)
  return (
    <>
      <Explained hint={t.returnHint}>
        <Button
          variant="default"
          loading={close.isPending}
          onClick={() => end('returned')}
        >
          {t.return}
        </Button>
      </Explained>
      <Explained hint={t.solveHint}>
        <Button loading={close.isPending} onClick={() => end('solved')}>
          {t.solve}
        </Button>
      </Explained>
      <ActionError error={close.error} />
      {unsent && (
        <Confirm
          title={t.unsent}
          button={unsent === 'solved' ? t.solve : t.return}
          onConfirm={() => close.mutateAsync(unsent)}
          onClose={() => setUnsent(null)}
        >
          {t.unsentHint}
        </Confirm>
      )}
    </>
  )
}

/** The hint also appears for the focus of the keyboard. */
const Explained = ({ hint, children }: { hint: string; children: ReactElement }) => (
  <Tooltip
    label={hint}
    multiline
    w={260}
    events={{ hover: true, focus: true, touch: false }}
  >
    {children}
  </Tooltip>
)

function AssignMenu({ handoff }: { handoff: HandoffDetails }) {
  const [isOpen, setOpen] = useState(false)
  const members = useAnsweringMembers({ isNeeded: isOpen })
  const assign = useAssignment(handoff)
  return (
    <>
      <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <Button variant="default" loading={assign.isPending}>
            {t.assign}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ScrollArea.Autosize mah={320} type="auto">
            {members
              .filter(({ id }) => id !== handoff.assignedTo)
              .map(({ id, name }) => (
                <Menu.Item key={id} className="foreign" onClick={() => assign.mutate(id)}>
                  {name}
                </Menu.Item>
              ))}
            {handoff.assignedTo && (
              <Menu.Item onClick={() => assign.mutate(null)}>{t.release}</Menu.Item>
            )}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
      <ActionError error={assign.error} />
    </>
  )
}
