// The part of a bot in a number that many bots share: its shareable id, and linked conversations.

import type { Installation } from '@botstead/contract'
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations.sandbox

interface SandboxProps {
  alias: string
  installation: Installation
}

export function Sandbox({ alias, installation }: SandboxProps) {
  const may = useMay()
  return (
    <Section title={t.title} hint={t.hint}>
      <ShareableId alias={alias} installation={installation} />
      {may('data.read') && <LinkedConversations alias={alias} />}
    </Section>
  )
}

function ShareableId({ alias, installation }: SandboxProps) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const queries = useQueryClient()
  const queryKey = ['bots', botId, 'shareable-id', alias]
  const input = {
    params: { botId, integrationId: installation.id },
    query: { integrationInstanceAlias: alias },
  }
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      try {
        return await client.admin.getIntegrationShareableId(input, { signal })
      } catch (error) {
        if ((error as { status?: number }).status === 404) return null
        throw error
      }
    },
  })
  const create = useMutation({
    mutationFn: () => client.admin.createIntegrationShareableId({ ...input, body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: notifyFailed,
  })
  return (
    <Loaded query={query}>
      {(found) => (
        <Stack gap="xs">
          {found && !found.isExpired ? (
            <CopyField value={found.shareableId} />
          ) : (
            <Text size="sm" c="dimmed">
              {found ? t.expired : t.noId}
            </Text>
          )}
          {isEditor && (
            <Group>
              <Button
                variant="default"
                loading={create.isPending}
                onClick={() => create.mutate()}
              >
                {found && !found.isExpired ? t.extend : t.create}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function LinkedConversations({ alias }: { alias: string }) {
  const { botId, client } = useBot()
  const isEditor = useMay()('bots.update')
  const [isUnlinking, unlinking] = useDisclosure(false)
  const query = usePages(
    ['bots', botId, 'sandbox-conversations', alias],
    (page, options) =>
      client.platform.listSandboxConversations(
        { params: { botId, alias }, query: page },
        options,
      ),
  )
  if (query.error)
    return <Failed error={query.error} retry={() => void query.refetch()} />
  const found = query.data?.pages.flatMap(({ conversations }) => conversations) ?? []
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.linked}
      </Text>
      {query.data && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noneLinked}
        </Text>
      )}
      <Group component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {found.map(({ identifier }) => (
          <Code key={identifier} component="li" className="foreign">
            {identifier}
          </Code>
        ))}
      </Group>
      <Group>
        <MoreButton query={query} label={texts.common.more} />
        {isEditor && found.length > 0 && (
          <Button variant="default" c="var(--bad)" onClick={unlinking.open}>
            {t.unlink}
          </Button>
        )}
      </Group>
      {isUnlinking && <Unlink alias={alias} onClose={unlinking.close} />}
    </Stack>
  )
}

function Unlink({ alias, onClose }: { alias: string; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t.unlinkTitle}
      button={t.unlink}
      onConfirm={async () => {
        await client.platform.setIntegrationIdentifier({
          params: { botId, alias },
          body: { sandboxIdentifiers: null },
        })
        notifyDone(t.unlinked)
        await queries.invalidateQueries({ queryKey: ['bots', botId] })
      }}
      onClose={onClose}
    >
      {t.unlinkText}
    </Confirm>
  )
}
