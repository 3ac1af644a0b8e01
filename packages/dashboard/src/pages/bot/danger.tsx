// Transfer and deletion of a bot, in its settings.

import type { Bot } from '@botstead/contract'
import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'

export function Danger({ bot }: { bot: Bot }) {
  const may = useMay()
  const [dialog, setDialog] = useState<'delete' | 'transfer' | null>(null)
  if (!may('bots.delete') && !may('bots.transfer')) return null
  const close = () => setDialog(null)
  return (
    <Section title={texts.settings.danger}>
      <Group>
        {may('bots.transfer') && (
          <Button variant="default" onClick={() => setDialog('transfer')}>
            {texts.bots.transfer.button}
          </Button>
        )}
        {may('bots.delete') && (
          <Button c="var(--bad)" variant="default" onClick={() => setDialog('delete')}>
            {texts.bots.delete.button}
          </Button>
        )}
      </Group>
      {dialog === 'delete' && <DeleteBot bot={bot} onClose={close} />}
      {dialog === 'transfer' && <TransferBot bot={bot} onClose={close} />}
    </Section>
  )
}

/** Returns to the list, because the pages of the bot show nothing any more. */
function useLeaveBot() {
  const { workspaceId } = useBot()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async (message: string) => {
    notifyDone(message)
    await navigate({
      to: '/w/$workspaceId/bots',
      params: { workspaceId },
      ignoreBlocker: true,
    })
    await queries.invalidateQueries({ queryKey: ['bots'] })
  }
}

function DeleteBot({ bot: { id, name }, onClose }: { bot: Bot; onClose: () => void }) {
  const { client } = useBot()
  const leave = useLeaveBot()
  return (
    <Confirm
      title={texts.bots.delete.title(name)}
      name={name}
      button={texts.bots.delete.button}
      onConfirm={async () => {
        await client.admin.deleteBot({ params: { id } })
        await leave(texts.bots.delete.done(name))
      }}
      onClose={onClose}
    >
      {texts.bots.delete.text}
    </Confirm>
  )
}

function TransferBot({ bot: { id, name }, onClose }: { bot: Bot; onClose: () => void }) {
  const { workspaceId, client } = useBot()
  const { data } = useQuery(sessionQuery)
  const leave = useLeaveBot()
  const targets = (data?.workspaces ?? []).filter(
    (each) => each.id !== workspaceId && each.permissions.includes('bots.create'),
  )
  const [target, setTarget] = useState<string | null>(null)
  return (
    <Confirm
      title={texts.bots.transfer.title}
      name={name}
      button={texts.bots.transfer.button}
      isReady={target !== null}
      onConfirm={async () => {
        await client.admin.transferBot({
          params: { id },
          body: { targetWorkspaceId: target! },
        })
        await leave(texts.bots.transfer.done)
      }}
      onClose={onClose}
    >
      <Text>{texts.bots.transfer.text}</Text>
      {targets.length === 0 ? (
        <Text fw={600}>{texts.bots.transfer.noTarget}</Text>
      ) : (
        <Select
          label={texts.bots.transfer.target}
          data={targets.map((each) => ({ value: each.id, label: each.name }))}
          value={target}
          onChange={setTarget}
          required
        />
      )}
    </Confirm>
  )
}
