// Installs an integration of the hub or of the workspace.
import type { IntegrationSummary } from '@botstead/contract'
import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot, useWorkspace } from '../../api/scope.ts'
import { notifyDone } from '../../parts/notify.ts'
import { Failed, Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations

type Found = Pick<IntegrationSummary, 'id' | 'name' | 'version' | 'title' | 'description'>
type Source = 'hub' | 'own'

export function InstallIntegration({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Found | null>(null)
  return (
    <Modal opened onClose={onClose} title={t.install} size="lg">
      {chosen ? (
        <Install integration={chosen} onBack={() => setChosen(null)} onClose={onClose} />
      ) : (
        <Choose onChoose={setChosen} />
      )}
    </Modal>
  )
}

function Choose({ onChoose }: { onChoose: (integration: Found) => void }) {
  const { workspaceId, client } = useWorkspace()
  const [source, setSource] = useState<Source>('hub')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const query = useQuery({
    queryKey: ['integrations', workspaceId, source, search],
    queryFn: async ({ signal }): Promise<Found[]> => {
      const input = { query: { ...(search && { search }), version: 'latest' } }
      const found =
        source === 'hub'
          ? await client.admin.listPublicIntegrations(input, { signal })
          : await client.admin.listIntegrations(input, { signal })
      return found.integrations
    },
  })
  return (
    <Stack>
      <SegmentedControl
        aria-label={t.source}
        value={source}
        onChange={(value) => setSource(value as Source)}
        data={[
          { value: 'hub', label: t.hub },
          { value: 'own', label: t.own },
        ]}
      />
      <TextInput
        label={t.search}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Loaded query={query}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{t.nothing}</Text>
          ) : (
            <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }}>
              {found.map((integration) => (
                <li key={integration.id}>
                  <UnstyledButton
                    className="nav-link"
                    w="100%"
                    onClick={() => onChoose(integration)}
                  >
                    <span className="foreign">
                      <b>{integration.title || integration.name}</b> {integration.name}{' '}
                      {integration.version}
                      <Text size="sm" c="dimmed">
                        {integration.description}
                      </Text>
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  )
}

interface InstallProps {
  integration: Found
  onBack: () => void
  onClose: () => void
}

function Install({ integration, onBack, onClose }: InstallProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [alias, setAlias] = useState(integration.name.replace(/^.*\//, ''))
  const install = useMutation({
    mutationFn: () =>
      client.admin.updateBot({
        params: { id: botId },
        body: { integrations: { [alias]: { integrationId: integration.id, enabled: true } } },
      }),
    onSuccess: async () => {
      onClose()
      notifyDone(t.installed(integration.title || integration.name))
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        install.mutate()
      }}
    >
      <Stack>
        <Text className="foreign" fw={600}>
          {integration.name} {integration.version}
        </Text>
        <TextInput
          label={t.alias}
          description={t.aliasHint}
          value={alias}
          onChange={(event) => setAlias(event.currentTarget.value)}
          required
          data-autofocus
        />
        {install.error && <Failed error={install.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {t.back}
          </Button>
          <Button type="submit" loading={install.isPending} disabled={alias.trim() === ''}>
            {t.installNow}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
