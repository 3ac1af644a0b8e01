// The API keys of a bot. A new key is shown once.

import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { ShownOnce } from '../../parts/texts/shown-once.tsx'
import { texts } from '../../texts/texts.ts'

export function useApiKeys() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['bots', botId, 'keys'],
    queryFn: ({ signal }) =>
      client.admin.listBotApiKeys({ query: { botId } }, { signal }),
    enabled: useMay()('keys.read'),
  })
}

export function ApiKeys() {
  const { botId, client } = useBot()
  const may = useMay()
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const [revoked, setRevoked] = useState<{ id: string; note: string } | null>(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['bots', botId, 'keys'] })
  const query = useApiKeys()
  const create = useMutation({
    mutationFn: () => client.admin.createBotApiKey({ body: { botId, note } }),
    onSuccess: () => {
      setNote('')
      return changed()
    },
    onError: notifyFailed,
  })
  return (
    <Section title={texts.settings.keys} hint={texts.settings.keysHint}>
      <Loaded query={query}>
        {({ baks }) =>
          baks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.settings.noKeys}
            </Text>
          ) : (
            baks.map((key) => (
              <Group key={key.id} justify="space-between" wrap="nowrap">
                <Text size="sm" className="foreign">
                  {key.note || key.id} <Moment at={key.createdAt} />
                </Text>
                {may('keys.write') && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setRevoked(key)}
                  >
                    {texts.settings.revoke}
                  </Button>
                )}
              </Group>
            ))
          )
        }
      </Loaded>
      <ShownOnce hint={texts.settings.keyCreated} value={create.data?.value} />
      {may('keys.write') && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate()
          }}
        >
          <Group align="flex-end">
            <TextInput
              label={texts.settings.note}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              flex="1 1 180px"
              maw={360}
              required
            />
            <Button type="submit" variant="default" loading={create.isPending}>
              {texts.settings.createKey}
            </Button>
          </Group>
        </form>
      )}
      {revoked && (
        <Confirm
          title={texts.settings.revokeKey(revoked.note || revoked.id)}
          button={texts.settings.revoke}
          onConfirm={async () => {
            await client.admin.deleteBotApiKey({ params: { id: revoked.id } })
            await changed()
          }}
          onClose={() => setRevoked(null)}
        >
          {texts.settings.revokeText}
        </Confirm>
      )}
    </Section>
  )
}
